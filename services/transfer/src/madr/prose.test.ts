import { describe, expect, it } from '@jest/globals';
import { prose } from './prose.ts';

describe('prose', () => {
  it.each([
    ['# Heading', '\\# Heading'],
    ['   ### Heading', '\\### Heading'],
    ['text\n## Heading\ntext', 'text\n\\## Heading\ntext'],
    ['Title\n=====', 'Title\n\\====='],
    ['Title\n---', 'Title\n\\---'],
    ['#tag and a # b', '#tag and a # b'],
    ['- item\n- item', '- item\n- item'],
    ['a | b\n--- | ---', 'a | b\n--- | ---'],
    ['```sh\n# comment\n```\n# Heading', '```sh\n# comment\n```\n\\# Heading'],
    ['~~~\n```\n# still code\n~~~', '~~~\n```\n# still code\n~~~'],
    ['````\n```\n````\n# Heading', '````\n```\n````\n\\# Heading'],
    ['```\nleft open', '```\nleft open\n```'],
    ['one\r\n# two\rthree', 'one\n\\# two\nthree'],
  ])('converts %j', (text, expected) => {
    expect(prose(text)).toBe(expected);
  });
});
