import type { ComboboxItem, OptionsFilter } from '@mantine/core';

/** Finds the options that contain the text: first the one that is the text, then those that begin with it. */
export const bestFirst: OptionsFilter = ({ options, search, limit }) => {
  const text = search.trim().toLowerCase();
  const rankOf = ({ label }: ComboboxItem) => {
    const known = label.toLowerCase();
    return known === text ? 0 : known.startsWith(text) ? 1 : 2;
  };
  return (options as ComboboxItem[])
    .filter(({ label }) => label.toLowerCase().includes(text))
    .sort((a, b) => rankOf(a) - rankOf(b))
    .slice(0, limit);
};
