package waymark

import "iter"

// pages yields the items of all pages, and at most one error, with which it ends. Each loop begins anew. read
// returns the items of a page, and moves the options to the next one, if there is one.
func pages[O, P, T any](
	options *O, page func(at *O) (*P, error), read func(page *P, at *O) (items []T, more bool),
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var at O
		if options != nil {
			at = *options
		}
		for more := true; more; {
			current, err := page(&at)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			var items []T
			items, more = read(current, &at)
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}

// follow sets the cursor to the next page. It returns false after the last one.
func follow(next, cursor *string) bool {
	if next == nil {
		return false
	}
	*cursor = *next
	return true
}
