// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"debug/pe"
	"testing"
)

func TestALibraryOfForwardsIsAFileOfWindows(t *testing.T) {
	text := library("a.dll", forward{"B", "c.D"}, forward{"A", "e.F"})
	f, err := pe.NewFile(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if f.Machine != pe.IMAGE_FILE_MACHINE_AMD64 || f.Characteristics&pe.IMAGE_FILE_DLL == 0 || len(f.Sections) != 1 {
		t.Errorf("%+v", f.FileHeader)
	}
	o, ok := f.OptionalHeader.(*pe.OptionalHeader64)
	if !ok || o.DataDirectory[pe.IMAGE_DIRECTORY_ENTRY_EXPORT].VirtualAddress != f.Sections[0].VirtualAddress || o.AddressOfEntryPoint != 0 {
		t.Errorf("%+v", f.OptionalHeader)
	}
	data, err := f.Sections[0].Data()
	if err != nil || !bytes.Contains(data, []byte("a.dll\x00A\x00e.F\x00B\x00c.D\x00")) {
		t.Errorf("%q, %v", data, err)
	}
}
