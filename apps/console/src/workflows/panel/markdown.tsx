import { Typography } from '@mantine/core';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';

const PLUGINS = [remarkGfm];

/** Text that somebody wrote, as Markdown: no HTML of theirs, and no pictures, which would be requests to other hosts. */
export function Markdown({ children }: { children: string }) {
  return (
    <Typography fz="sm" style={{ overflowWrap: 'anywhere' }}>
      <ReactMarkdown
        remarkPlugins={PLUGINS}
        disallowedElements={['img']}
        components={{
          a: ({ node: _, ...props }) => <a {...props} target="_blank" rel="noreferrer noopener" />,
        }}
      >
        {children}
      </ReactMarkdown>
    </Typography>
  );
}
