// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"encoding/json"
	"net/http"
	"sync"
	"time"
)

// Rates are the rates of exchange, as a bank gave them last.
type rates struct {
	bank func() (map[string]float64, error)

	mu   sync.Mutex
	last map[string]float64
}

// of returns the rate of a currency.
func (r *rates) of(currency string) (rate float64, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rate, ok = r.last[currency]
	return rate, ok
}

// refresh asks the bank.
func (r *rates) refresh() (err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	last, err := r.bank()
	if err == nil {
		r.last = last
	}
	return err
}

// fetch gets rates over the network.
func fetch(url string) (rates map[string]float64, err error) {
	answer, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	return rates, json.NewDecoder(answer.Body).Decode(&rates)
}

// quote is the bank. It is far away.
func quote(w http.ResponseWriter, r *http.Request) {
	time.Sleep(80 * time.Millisecond)
	json.NewEncoder(w).Encode(map[string]float64{"EUR": 1, "GBP": 0.86, "USD": 1.09})
}
