// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"

	"github.com/strobe-go/strobe"
)

var (
	zonePut    = strobe.NewZone("put")
	zoneCommit = strobe.NewZone("commit")
	zoneGet    = strobe.NewZone("get")
	zoneTurn   = strobe.NewWaitZone("turn")  // one writer at a time: the others wait for their turn
	zoneSync   = strobe.NewWaitZone("fsync") // for the disk
)

var bucket = []byte("kv")

// A store is a bbolt database in its own folder.
type store struct {
	db  *bbolt.DB
	dir string
}

// open makes an empty database in a new folder within dir; "" means the folder for temporary files.
//
// It leaves syncing to put, so that it can be measured separately: bbolt's own syncs are hidden in Commit. This is suitable
// for a workload but not for real data, since bbolt's two syncs per commit keep the file consistent after a power failure.
func open(dir string) (*store, error) {
	own, err := os.MkdirTemp(dir, "kv")
	if err != nil {
		return nil, fmt.Errorf("cannot make a folder for the database: %w; give another with -dir", err)
	}
	s := &store{dir: own}
	s.db, err = bbolt.Open(filepath.Join(own, "kv.db"), 0o600, &bbolt.Options{NoSync: true, Timeout: time.Second})
	if err == nil {
		err = s.db.Update(func(tx *bbolt.Tx) error {
			_, err := tx.CreateBucket(bucket)
			return err
		})
	}
	if err != nil {
		s.remove()
		return nil, fmt.Errorf("cannot make a database in %s: %w", own, err)
	}
	return s, nil
}

func (s *store) remove() {
	if s.db != nil {
		s.db.Close()
	}
	os.RemoveAll(s.dir)
}

// put stores a value, and returns when it is on the disk.
func (s *store) put(key, value []byte) error {
	defer zonePut.Enter().Exit()
	tx, err := s.turn()
	if err != nil {
		return err
	}
	defer tx.Rollback() // if the transaction fails; after Commit it does nothing
	if err := tx.Bucket(bucket).Put(key, value); err != nil {
		return err
	}
	if err := commit(tx); err != nil {
		return err
	}
	return s.sync()
}

func (s *store) turn() (*bbolt.Tx, error) {
	defer zoneTurn.Enter().Exit()
	return s.db.Begin(true)
}

func commit(tx *bbolt.Tx) error {
	defer zoneCommit.Enter().Exit()
	return tx.Commit()
}

func (s *store) sync() error {
	defer zoneSync.Enter().Exit()
	return s.db.Sync()
}

// get reports whether the key has a value.
func (s *store) get(key []byte) (found bool, err error) {
	defer zoneGet.Enter().Exit()
	err = s.db.View(func(tx *bbolt.Tx) error {
		found = tx.Bucket(bucket).Get(key) != nil
		return nil
	})
	return found, err
}
