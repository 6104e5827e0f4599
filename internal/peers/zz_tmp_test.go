package peers

import (
	"os"
	"strconv"

	"github.com/strobe-go/strobe"
)

func init() {
	if v := os.Getenv("BUDGET"); v != "" {
		n, _ := strconv.Atoi(v)
		strobe.SetBudget(int64(n) << 20)
	}
}
