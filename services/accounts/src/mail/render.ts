import { HIDDEN_CHARACTERS, type Language } from '@waymark/contracts';

/** A paragraph of a mail; one with a link shows its address below. */
export type Paragraph = string | { text: string; link: string };

export interface MailContent {
  subject: string;
  paragraphs: Paragraph[];
  /** Replaces the address that was queued. */
  to?: string;
  /** Replaces the name of MAIL_FROM. */
  fromName?: string | null | undefined;
  /** The record whose mails belong together. */
  thread?: string;
  /** Ends such mails by a POST (RFC 8058). */
  unsubscribeUrl?: string;
}

export interface RenderedMail extends Omit<MailContent, 'paragraphs'> {
  text: string;
  html: string;
}

/** Writes a mail as plain text and as HTML without pictures, styles from elsewhere or tracking. */
export function render({ paragraphs, ...mail }: MailContent, language: Language): RenderedMail {
  const text = paragraphs.map((one) => (typeof one === 'string' ? one : `${one.text}\n${one.link}`));
  const html = paragraphs.map((one) =>
    typeof one === 'string'
      ? `<p dir="auto">${escaped(one)}</p>`
      : `<p dir="auto">${escaped(one.text)}<br><a href="${escaped(one.link)}">${escaped(one.link)}</a></p>`,
  );
  return {
    ...mail,
    text: `${text.join('\n\n')}\n`,
    html:
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escaped(mail.subject)}</title></head>` +
      `<body style="font:16px/1.5 sans-serif;max-width:40rem">${html.join('')}</body></html>`,
  };
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

/**
 * A name with line breaks could pretend to be the rest of the mail, one with hidden characters another name.
 * A space behind each dot and colon keeps mail programs from making a link of a name.
 */
export const oneLine = (name: string) =>
  name
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(HIDDEN_CHARACTERS, '')
    .replace(/[.:\u3002\uff0e\uff61](?=\S)/g, '$& ');
