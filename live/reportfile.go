// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"net/http"
	"strconv"

	"github.com/strobe-go/strobe/capture"
)

// capture answers with the file of a report, for a browser.
func (s *Server) capture(w http.ResponseWriter, r *http.Request) {
	number, err := strconv.ParseUint(r.FormValue("report"), 10, 53)
	if err != nil || number == 0 {
		http.Error(w, "report must be the number of a report", http.StatusBadRequest)
		return
	}
	all := capture.Reports(number - 1)
	if len(all) == 0 || all[0].Number != number {
		http.Error(w, "this report is no longer kept: the latest ones are", http.StatusNotFound)
		return
	}
	if !s.admit(w) {
		return
	}
	defer s.leave()
	unhurried(w)
	attach(w, "text/html; charset=utf-8", ".capture.html")
	capture.Write(w, all[0].Report)
}
