package waymark

import "encoding/json"

// Optional is a field whose absence differs from each of its values. The zero value leaves the field out, Value
// sets it, and Null sets it to null, which the installation accepts where the field may be null.
type Optional[T any] struct {
	value *T
	isSet bool
}

// Value returns an Optional with this value.
func Value[T any](value T) Optional[T] {
	return Optional[T]{value: &value, isSet: true}
}

// Null returns an Optional that is null.
func Null[T any]() Optional[T] {
	return Optional[T]{isSet: true}
}

// Get returns the value, and false when there is none.
func (o Optional[T]) Get() (T, bool) {
	if o.value == nil {
		var none T
		return none, false
	}
	return *o.value, true
}

// IsZero is true when the field is left out.
func (o Optional[T]) IsZero() bool {
	return !o.isSet
}

// MarshalJSON implements json.Marshaler.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	return json.Marshal(o.value)
}

// UnmarshalJSON implements json.Unmarshaler.
func (o *Optional[T]) UnmarshalJSON(text []byte) error {
	o.isSet = true
	return json.Unmarshal(text, &o.value)
}

func (o Optional[T]) text() string {
	value, _ := o.Get()
	return textOf(value)
}

// Object is a JSON object of any form.
type Object map[string]any

// Decode stores the object in the value to which target points: event.Data.Decode(&decision).
func (o Object) Decode(target any) error {
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, target)
}
