// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"path/filepath"

	_ "modernc.org/sqlite"
)

// Items are numbered from 0.
const items = 2000

// A service answers requests from its database.
type service struct{ db *sql.DB }

// An item is in stock so many times.
type item struct {
	ID    int    `json:"id"`
	Name  string `json:"name"`
	Stock int    `json:"stock"`
}

// source is the name of the database in a folder.
func source(dir string) string {
	o := url.Values{"_pragma": {"busy_timeout(10000)", "foreign_keys(on)", "journal_mode(wal)", "synchronous(normal)"}, "_txlock": {"immediate"}}
	return "file:" + filepath.ToSlash(filepath.Join(dir, "stock.db")) + "?" + o.Encode()
}

// fill makes the tables.
func (s *service) fill() error {
	_, err := s.db.Exec(`
CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, stock INTEGER NOT NULL CHECK (stock >= 0));
CREATE TABLE taken (id INTEGER NOT NULL REFERENCES item, at TEXT DEFAULT CURRENT_TIMESTAMP);
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i < ? - 1) INSERT INTO item SELECT i, 'item ' || i, 500 + i * 7 % 100 FROM n;`, items)
	return err
}

func (s *service) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /item/{id}", s.item)
	mux.HandleFunc("POST /item/{id}/take", s.take)
	mux.HandleFunc("GET /scarce", s.scarce)
	return mux
}

func (s *service) item(w http.ResponseWriter, r *http.Request) {
	var i item
	err := s.db.QueryRowContext(r.Context(), "SELECT id, name, stock FROM item WHERE id = ?", r.PathValue("id")).Scan(&i.ID, &i.Name, &i.Stock)
	answer(w, i, err)
}

// take takes an item, and writes down when.
func (s *service) take(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	tx, err := s.db.BeginTx(r.Context(), nil)
	if err != nil {
		answer(w, nil, err)
		return
	}
	defer tx.Rollback() // after Commit it does nothing
	_, err = tx.ExecContext(r.Context(), "UPDATE item SET stock = stock - 1 WHERE id = ?", id)
	if err == nil {
		_, err = tx.ExecContext(r.Context(), "INSERT INTO taken (id) VALUES (?)", id)
	}
	if err == nil {
		err = tx.Commit()
	}
	answer(w, "taken", err)
}

// scarce lists the items of which the fewest are left.
func (s *service) scarce(w http.ResponseWriter, r *http.Request) {
	rows, err := s.db.QueryContext(r.Context(), "SELECT id, name, stock FROM item ORDER BY stock LIMIT 10")
	if err != nil {
		answer(w, nil, err)
		return
	}
	defer rows.Close()
	var all []item
	for rows.Next() && err == nil {
		var i item
		err = rows.Scan(&i.ID, &i.Name, &i.Stock)
		all = append(all, i)
	}
	answer(w, all, errors.Join(err, rows.Err()))
}

func answer(w http.ResponseWriter, value any, err error) {
	switch {
	case errors.Is(err, sql.ErrNoRows):
		http.Error(w, "there is none", http.StatusNotFound)
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	default:
		json.NewEncoder(w).Encode(value)
	}
}
