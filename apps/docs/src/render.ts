import { Marked, type Renderer, type Token, type Tokens } from 'marked';
import { html } from './html.ts';
import { asPage, PICTURES } from './site-links.ts';

export interface Heading {
  depth: number;
  id: string;
  text: string;
}

/** A heading with the text below it, for search. */
export interface SearchEntry {
  /** Both are empty for the text below the title. */
  heading: string;
  id: string;
  text: string;
}

export interface Rendered {
  body: string;
  headings: Heading[];
  entries: SearchEntry[];
}

/** Returns HTML of Markdown. `anchors` are ids of headings, by their text; others are those of GitHub. */
export function render(markdown: string, anchors: ReadonlyMap<string, string> = new Map()): Rendered {
  const ids = new Map<Token, string>();
  const marked = new Marked({ renderer: rendererOf(ids) });
  const tokens = marked.lexer(markdown);
  const used = new Map<string, number>();
  const entries: SearchEntry[] = [{ heading: '', id: '', text: '' }];
  const headings: Heading[] = [];
  for (const token of tokens) {
    if (token.type !== 'heading') {
      entries.at(-1)!.text += `${plainText([token])} `;
      continue;
    }
    const { text, depth } = token as Tokens.Heading;
    if (depth === 1) continue;
    const id = anchors.get(text) ?? unique(anchorOf(text), used);
    ids.set(token, id);
    const plain = plainText([token]);
    headings.push({ depth, id, text: plain });
    entries.push({ heading: plain, id, text: '' });
  }
  const parts = groupTabs(tokens).map((part, i) => ({
    isCode: Array.isArray(part),
    isSection: !Array.isArray(part) && part.type === 'heading' && ids.has(part),
    text: Array.isArray(part) ? tabsHtml(part, i) : marked.parser([part]),
  }));
  // The sections of a page with anchors are operations.
  const body = anchors.size > 0 ? withExamplesBeside(parts) : parts.map(({ text }) => text).join('');
  return { body, headings, entries };
}

interface Part {
  /** Whether these are tabs of code. */
  isCode: boolean;
  isSection: boolean;
  text: string;
}

/** try.js fills it. docs.css hides it from browsers without scripts. */
const FORM = '<details class="try"><summary>Try it</summary><p role="status"></p></details>\n';

/** Puts the part from the first code of each section beside the rest, which ends with the form. */
function withExamplesBeside(parts: readonly Part[]): string {
  let open = '';
  const pieces = parts.map(({ isCode, isSection, text }) => {
    const close = open;
    if (isSection) {
      open = '</div></section>\n';
      return `${close}<section class="operation"><div>${text}`;
    }
    if (!isCode) return text;
    return `${FORM}</div><div class="example">${text}`;
  });
  return pieces.join('') + open;
}

/** The anchor that GitHub generates for a heading. */
export const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

function unique(anchor: string, used: Map<string, number>): string {
  const count = used.get(anchor) ?? 0;
  used.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${count}`;
}

function rendererOf(ids: ReadonlyMap<Token, string>): Partial<Renderer> {
  return {
    heading(this: Renderer, token) {
      const { depth, tokens } = token;
      const inner = this.parser.parseInline(tokens);
      const id = ids.get(token);
      return `<h${depth}${id ? ` id="${html(id)}"` : ''}>${inner}</h${depth}>\n`;
    },
    link(this: Renderer, { href, tokens }) {
      return `<a href="${html(asPage(href))}">${this.parser.parseInline(tokens)}</a>`;
    },
    code: (token) => codeHtml(token),
    table(this: Renderer, { header, rows }) {
      const head = header.map(({ tokens }) => {
        const inner = this.parser.parseInline(tokens);
        return inner === '' ? '<td></td>' : `<th scope="col">${inner}</th>`;
      });
      const lines = rows.map((row) => {
        const cells = row.map(({ tokens }) => `<td>${this.parser.parseInline(tokens)}</td>`);
        return `<tr>${cells.join('')}</tr>\n`;
      });
      return `<div class="wide" tabindex="0"><table>\n<thead><tr>${head.join('')}</tr></thead>\n<tbody>\n${lines.join('')}</tbody>\n</table></div>\n`;
    },
    // No HTML of a source reaches a page; comments are for its authors.
    html: ({ text }) => (text.trimStart().startsWith('<!--') ? '' : html(text)),
    // Pictures of the site itself only.
    image: ({ text, href }) =>
      href.startsWith(`/${PICTURES}`) ? `<img src="${html(href)}" alt="${html(text)}">` : html(text),
  };
}

/** The word after the language of a fenced block: the name of its tab. */
const labelOf = (token: Token) =>
  token.type === 'code' ? (/^\S+ (\S+)$/.exec((token as Tokens.Code).lang ?? '')?.[1] ?? null) : null;

/** Gathers neighbouring blocks with labels: the same in several languages. */
function groupTabs(tokens: readonly Token[]): (Token | Tokens.Code[])[] {
  const parts: (Token | Tokens.Code[])[] = [];
  for (const token of tokens) {
    const last = parts.at(-1);
    if (labelOf(token) === null) {
      if (token.type !== 'space') parts.push(token);
    } else if (Array.isArray(last)) last.push(token as Tokens.Code);
    else parts.push([token as Tokens.Code]);
  }
  return parts;
}

/** Tabs that work without a script: docs.css shows the block of the chosen label. */
function tabsHtml(blocks: readonly Tokens.Code[], number: number): string {
  const choices = blocks.map((block, i) => {
    const label = html(labelOf(block)!);
    return `<label><input type="radio" name="language-${number}" value="${label}"${i === 0 ? ' checked' : ''}> ${label}</label>`;
  });
  const panels = blocks.map(
    (block) => `<div data-language="${html(labelOf(block)!)}">${codeHtml(block)}</div>`,
  );
  return `<div class="tabs"><fieldset><legend>Language</legend>${choices.join('')}</fieldset>\n${panels.join('')}</div>\n`;
}

const codeHtml = ({ text }: Tokens.Code) => `<pre tabindex="0"><code>${html(text)}</code></pre>\n`;

/** The text of tokens without its marks. */
function plainText(tokens: readonly Token[]): string {
  return tokens.map(plainTextOf).join('');
}

function plainTextOf(token: Token): string {
  switch (token.type) {
    case 'html':
    case 'space':
      return ' ';
    case 'br':
      return ' ';
    case 'list':
      return (token as Tokens.List).items.map(({ tokens }) => `${plainText(tokens)} `).join('');
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows]
        .flat()
        .map(({ tokens }) => `${plainText(tokens)} `)
        .join('');
    }
    default: {
      const { tokens, text } = token as { tokens?: Token[]; text?: string };
      return tokens ? plainText(tokens) : (text ?? '').replaceAll('\n', ' ');
    }
  }
}
