package waymark

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"time"
)

// fillPath replaces the braces of a path with the arguments. It refuses those that would name another path.
func fillPath(path string, args []string) (string, error) {
	for _, arg := range args {
		if arg == "" || arg == "." || arg == ".." {
			return "", fmt.Errorf("%q is not an id", arg)
		}
		before, rest, _ := strings.Cut(path, "{")
		_, after, _ := strings.Cut(rest, "}")
		path = before + url.PathEscape(arg) + after
	}
	return path, nil
}

// addOptions adds the fields of an options struct that are set, by their tags query and header.
func addOptions(options any, query url.Values, header http.Header) error {
	value := reflect.Indirect(reflect.ValueOf(options))
	if !value.IsValid() {
		return nil
	}
	for i := range value.NumField() {
		field := value.Field(i)
		if field.IsZero() {
			continue
		}
		text := textOf(field.Interface())
		if name, ok := value.Type().Field(i).Tag.Lookup("query"); ok {
			query.Set(name, text)
			continue
		}
		if strings.ContainsAny(text, "\r\n\x00") {
			return errors.New(value.Type().Field(i).Name + " has characters that a header cannot have")
		}
		header.Set(value.Type().Field(i).Tag.Get("header"), text)
	}
	return nil
}

func textOf(value any) string {
	switch value := value.(type) {
	case interface{ text() string }:
		return value.text()
	case time.Time:
		return value.UTC().Format(time.RFC3339Nano)
	}
	list := reflect.ValueOf(value)
	if list.Kind() != reflect.Slice {
		return fmt.Sprint(value)
	}
	items := make([]string, list.Len())
	for i := range items {
		items[i] = textOf(list.Index(i).Interface())
	}
	return strings.Join(items, ",")
}
