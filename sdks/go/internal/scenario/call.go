package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	waymark "github.com/waymark/waymark/sdks/go"
)

// An operation of openapi.json with its method.
type operation struct {
	id   string
	call any
	// The method that reads all pages.
	items any
	// The parameters of the path and the query that are arguments, in order.
	args []string
}

var (
	readerType = reflect.TypeFor[io.Reader]()
	errorType  = reflect.TypeFor[error]()
)

func operationIDs() []string {
	var ids []string
	for _, one := range operationsOf(&waymark.Client{}) {
		ids = append(ids, one.id)
	}
	return ids
}

// callOperation calls the method of a step, and returns its result as JSON has it.
func callOperation(client *waymark.Client, s step) (any, error) {
	all := operationsOf(client)
	at := slices.IndexFunc(all, func(one operation) bool { return one.id == s.Operation })
	if at < 0 {
		return nil, errors.New("the SDK has no operation " + s.Operation)
	}
	method := reflect.ValueOf(all[at].call)
	if s.Items {
		method = reflect.ValueOf(all[at].items)
	}
	arguments, err := argumentsOf(method.Type(), all[at], s)
	if err != nil {
		return nil, err
	}
	results := method.Call(arguments)
	if s.Items {
		return collect(results[0])
	}
	if last := results[len(results)-1]; last.Type().Implements(errorType) && !last.IsNil() {
		return nil, last.Interface().(error)
	}
	if len(results) == 1 {
		return nil, nil
	}
	if stream, ok := results[0].Interface().(io.ReadCloser); ok {
		defer stream.Close()
		text, err := io.ReadAll(stream)
		return string(text), err
	}
	return asJSON(results[0].Interface())
}

func argumentsOf(method reflect.Type, called operation, s step) ([]reflect.Value, error) {
	arguments := []reflect.Value{reflect.ValueOf(context.Background())}
	for i := 1; i < method.NumIn(); i++ {
		argument := reflect.New(method.In(i)).Elem()
		var err error
		switch {
		case i <= len(called.args):
			name := called.args[i-1]
			value, isInPath := s.Path[name]
			if !isInPath {
				value = s.Query[name]
				delete(s.Query, name)
			}
			err = set(argument, value)
		case argument.Type() == readerType:
			argument.Set(reflect.ValueOf(strings.NewReader(s.File)))
		case argument.Kind() == reflect.String:
			argument.SetString(s.ContentType)
		case argument.Kind() == reflect.Pointer:
			argument.Set(reflect.New(argument.Type().Elem()))
			err = setOptions(argument.Elem(), s)
		default:
			err = set(argument, s.Body)
		}
		if err != nil {
			return nil, fmt.Errorf("argument %d of %s: %w", i, called.id, err)
		}
		arguments = append(arguments, argument)
	}
	if len(s.Query) > 0 {
		return nil, fmt.Errorf("%s has no parameters %v", called.id, s.Query)
	}
	return arguments, nil
}

// setOptions sets the parameters of a step, and takes them from its query.
func setOptions(options reflect.Value, s step) error {
	given := map[string]string{"Idempotency-Key": s.IdempotencyKey, "If-Match": s.IfMatch}
	for i := range options.NumField() {
		tag := options.Type().Field(i).Tag
		if header, ok := tag.Lookup("header"); ok {
			options.Field(i).SetString(given[header])
			continue
		}
		name := tag.Get("query")
		value, isGiven := s.Query[name]
		if !isGiven {
			continue
		}
		delete(s.Query, name)
		if err := set(options.Field(i), value); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// set decodes a value of the scenario. Flags and lists in a query are strings there.
func set(target reflect.Value, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	pointer := target.Addr().Interface()
	if err = json.Unmarshal(text, pointer); err == nil {
		return nil
	}
	given, _ := value.(string)
	if list, ok := pointer.(*[]string); ok && given != "" {
		*list = strings.Split(given, ",")
		return nil
	}
	if given == "true" || given == "false" {
		return json.Unmarshal([]byte(given), pointer)
	}
	return err
}

// collect returns the items of an iterator.
func collect(iterator reflect.Value) (any, error) {
	items := []any{}
	for item, failed := range iterator.Seq2() {
		if err, ok := failed.Interface().(error); ok {
			return nil, err
		}
		one, err := asJSON(item.Interface())
		if err != nil {
			return nil, err
		}
		items = append(items, one)
	}
	return items, nil
}

func asJSON(value any) (any, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var result any
	return result, json.Unmarshal(text, &result)
}
