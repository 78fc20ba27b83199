import { createElement, Fragment, type ReactNode } from 'react';
import { locale } from './language.ts';

const plurals = new Intl.PluralRules(locale);

/** Formats a number: 1,234.5. */
export function number(value: number, options?: Intl.NumberFormatOptions): string {
  return value.toLocaleString(locale, options);
}

/** Formats a share from 0 to 1: 12%. */
export function percent(share: number, maximumFractionDigits = 0): string {
  return number(share, { style: 'percent', maximumFractionDigits });
}

/** Begins a text with a capital letter. */
export const sentence = (text = '') => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the form that the language uses for a number, with the number for each `#`. */
export function plural(
  count: number,
  forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string },
): string {
  return (forms[plurals.select(count)] ?? forms.other).replaceAll('#', number(count));
}

/** Formats a list: a, b, and c. */
export function list(parts: string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  return new Intl.ListFormat(locale, { type }).format(parts);
}

const isolate = (part: ReactNode) => (typeof part === 'string' ? createElement('bdi', null, part) : part);

/**
 * A text with elements in it: rich`Ask ${link} for access.` Strings, such as names of users, cannot change
 * the direction of the text around them.
 */
export function rich(texts: TemplateStringsArray, ...parts: ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...texts.flatMap((text, at) => [text, isolate(parts[at])]));
}
