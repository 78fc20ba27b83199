import './rendered-markdown.css';
import { Table, Typography } from '@mantine/core';
import { useId } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';

const PLUGINS = [remarkGfm];

/** Nothing is fetched from elsewhere; ticks of a list are words, not fields. */
const COMPONENTS: Components = {
  // A footnote leads to its place in the same text, and back.
  a: ({ node: _, href, children, ...rest }) => (
    <a href={href} {...rest} {...(!href?.startsWith('#') && { target: '_blank', rel: 'noreferrer' })}>
      {children}
    </a>
  ),
  img: ({ src, alt }) => (
    <a href={src} target="_blank" rel="noreferrer">
      {alt || 'Picture'}
    </a>
  ),
  input: ({ checked }) => <>{checked ? '☑' : '☐'}</>,
  table: ({ children }) => (
    <Table.ScrollContainer minWidth={320}>
      <table>{children}</table>
    </Table.ScrollContainer>
  ),
};

/** HTML within the text is shown as text, and addresses that run something are dropped. */
export default function RenderedMarkdown({ text, heading }: { text: string; heading: 'h2' | 'h3' }) {
  // Footnotes of each text on the page have ids of their own.
  const clobberPrefix = useId();
  return (
    <Typography className="rendered-markdown">
      <ReactMarkdown
        remarkPlugins={PLUGINS}
        remarkRehypeOptions={{ clobberPrefix }}
        components={{ ...COMPONENTS, ...headingsAs(heading) }}
      >
        {text}
      </ReactMarkdown>
    </Typography>
  );
}

/** All of one level, the one that comes next on the page. */
function headingsAs(heading: 'h2' | 'h3'): Components {
  return { h1: heading, h2: heading, h3: heading, h4: heading, h5: heading, h6: heading };
}
