// Command sign-macho signs a program for macOS ad hoc, in place: sign-macho <file>.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/blacktop/go-macho"
	"github.com/blacktop/go-macho/pkg/codesign"
	"github.com/blacktop/go-macho/pkg/codesign/types"
)

func main() {
	if err := sign(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func sign(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if err := os.Truncate(path, align(info.Size())); err != nil {
		return err
	}
	file, err := macho.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	// The last segment ends with the file. The signature follows it.
	linkedit := file.Segment("__LINKEDIT")
	linkedit.Filesz = uint64(align(int64(linkedit.Filesz)))
	config := codesign.Config{ID: filepath.Base(path), Flags: types.ADHOC}
	if err := file.CodeSign(&config); err != nil {
		return err
	}
	signed := path + ".signed"
	if err := file.Save(signed); err != nil {
		return err
	}
	if err := check(file, signed); err != nil {
		return err
	}
	return os.Rename(signed, path)
}

// align rounds up to a multiple of 16, where Apple's codesign puts a signature.
func align(size int64) int64 {
	return (size + 15) / 16 * 16
}

// check fails if segments were not written where the header says: Save drops the gaps between them.
func check(file *macho.File, signed string) error {
	written, err := os.Stat(signed)
	if err != nil {
		return err
	}
	last := file.Segment("__LINKEDIT")
	if end := int64(last.Offset + last.Filesz); written.Size() != end {
		return fmt.Errorf("%s has %d bytes, but its segments end at %d", signed, written.Size(), end)
	}
	return nil
}
