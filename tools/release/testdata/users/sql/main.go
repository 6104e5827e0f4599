// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"

	strobesql "github.com/strobe-go/strobe/contrib/sql"
)

func main() {
	if _, err := strobesql.Open("no driver", "", strobesql.Options{}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(strobesql.Normalize("SELECT 'elsewhere'"))
}
