// SPDX-License-Identifier: BSD-3-Clause

// Example measures a loop and prints the metrics that an OpenTelemetry reader collects.
package main

import (
	"context"
	"fmt"
	"log"
	"time"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/strobe-go/strobe"
	strobeotel "github.com/strobe-go/strobe/contrib/otel"
)

var zTick = strobe.NewZone("tick")

func main() {
	reader := metric.NewManualReader(metric.WithProducer(strobeotel.NewProducer(strobeotel.Options{})))
	provider := metric.NewMeterProvider(metric.WithReader(reader)) // also makes the program's own instruments
	defer provider.Shutdown(context.Background())

	for range 20 {
		zTick.Do(func() { time.Sleep(5 * time.Millisecond) })
	}

	var all metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &all); err != nil {
		log.Fatal(err)
	}
	for _, m := range all.ScopeMetrics[0].Metrics {
		switch d := m.Data.(type) {
		case metricdata.Sum[int64]:
			for _, p := range d.DataPoints {
				fmt.Println(m.Name, p.Attributes.ToSlice()[0].Value.AsString(), p.Value)
			}
		case metricdata.ExponentialHistogram[float64]:
			for _, p := range d.DataPoints {
				fmt.Printf("%s: %d calls, %.3f s, scale %d\n", m.Name, p.Count, p.Sum, p.Scale)
			}
		}
	}
}
