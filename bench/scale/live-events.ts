import { once } from 'node:events';
import http from 'node:http';

export interface LiveEvents {
  /** Resolves when an event of this subject has arrived. */
  arrived(subjectId: string): Promise<void>;
}

/** Listens to `GET /events` until the server ends the stream. Throws if the request is refused. */
export async function listen(url: string, headers: http.OutgoingHttpHeaders): Promise<LiveEvents> {
  const bySubject = new Map<string, PromiseWithResolvers<void>>();
  const of = (subjectId: string) => {
    const known = bySubject.get(subjectId) ?? Promise.withResolvers<void>();
    bySubject.set(subjectId, known);
    return known;
  };
  const [response] = (await once(http.get(url, { agent: false, headers }), 'response')) as [
    http.IncomingMessage,
  ];
  if (response.statusCode !== 200) throw new Error(`GET /events answered ${response.statusCode}`);
  let rest = '';
  response.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const { subject } = line.startsWith('data: ') ? JSON.parse(line.slice('data: '.length)) : {};
      if (subject) of(subject.id).resolve();
    }
  });
  await once(response, 'data');
  return { arrived: (subjectId) => of(subjectId).promise };
}
