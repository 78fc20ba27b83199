import './rendered-markdown.css';
import { Typography } from '@mantine/core';
import { memo, useId } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { uiTexts as t } from '../../texts/ui.ts';

const PLUGINS = [remarkGfm];

/** Images are not loaded, and task list checkboxes are text. */
const COMPONENTS: Components = {
  // Footnote links stay within the same text.
  a: ({ node: _, href, children, ...rest }) => (
    <a href={href} {...rest} {...(!href?.startsWith('#') && { target: '_blank', rel: 'noreferrer' })}>
      {children}
    </a>
  ),
  img: ({ src, alt }) => (
    <a href={src} target="_blank" rel="noreferrer">
      {alt || t.picture}
    </a>
  ),
  input: ({ checked }) => <>{checked ? '☑' : '☐'}</>,
  table: ({ children }) => (
    <div className="table-scroll">
      <table style={{ minWidth: 320 }}>{children}</table>
    </div>
  ),
};

/** Shows HTML as text and removes URLs that run code. */
export default memo(function RenderedMarkdown(props: { text: string; heading: 'h2' | 'h3' }) {
  const { text, heading } = props;
  // Footnote ids are unique per text on the page.
  const clobberPrefix = useId();
  return (
    <Typography className="rendered-markdown">
      <ReactMarkdown
        remarkPlugins={PLUGINS}
        remarkRehypeOptions={{
          clobberPrefix,
          footnoteLabel: t.footnotes,
          footnoteBackLabel: (at, again) => t.footnoteBack(`${at + 1}${again > 1 ? `-${again}` : ''}`),
        }}
        components={{ ...COMPONENTS, ...headingsAs(heading) }}
      >
        {text}
      </ReactMarkdown>
    </Typography>
  );
});

/** All headings have the next level of the page. */
function headingsAs(heading: 'h2' | 'h3'): Components {
  return { h1: heading, h2: heading, h3: heading, h4: heading, h5: heading, h6: heading };
}
