// SPDX-License-Identifier: BSD-3-Clause

// Package fleet contains only tests: they run several programs that use strobe, and the servers that collect their
// measurements. It is a separate module, so that importers of the library do not get its dependencies.
//
// The Prometheus server is the one that prometheus.sh builds, the collector of OpenTelemetry the one of collector.sh. VictoriaMetrics is Debian's package victoria-metrics. Tests
// whose server is missing are skipped and say so, unless CI_FULL is set: then they fail.
package fleet
