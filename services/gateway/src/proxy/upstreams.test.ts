import { describe, expect, it } from '@jest/globals';
import { EnvironmentError } from '@waymark/service-kit/process';
import { type Replica, upstreams } from './upstreams.ts';

let nowMs = 0;
const open = (urls: string) => upstreams('decisions', urls, () => nowMs);
const nameOf = (replica: Replica | null) => replica?.target.hostname ?? null;

describe('replicas', () => {
  it('take turns, and each is tried once', () => {
    const replicas = open('http://a:1, http://b:2,http://c:3');
    const names = Array.from({ length: 6 }, () => nameOf(replicas.next([])));
    expect(names.slice(0, 3).toSorted()).toEqual(['a', 'b', 'c']);
    expect(names.slice(3)).toEqual(names.slice(0, 3));
    const tried: Replica[] = [];
    for (let i = 0; i < 3; i += 1) tried.push(replicas.next(tried)!);
    expect(new Set(tried).size).toBe(3);
    expect(replicas.next(tried)).toBeNull();
  });

  it('are avoided for ten seconds while others are left', () => {
    const replicas = open('http://a:1,http://b:2');
    const avoided = replicas.next([])!;
    replicas.avoid(avoided);
    for (let i = 0; i < 4; i += 1) expect(replicas.next([])).not.toBe(avoided);
    const other = replicas.next([])!;
    expect(replicas.next([other])).toBe(avoided);
    nowMs += 10_000;
    expect([replicas.next([]), replicas.next([])]).toContain(avoided);
  });

  it('may be IPv6 addresses, and need no port', () => {
    expect(open('http://[::1]:8082').next([])?.target).toMatchObject({ hostname: '::1', port: '8082' });
    expect(open('http://decisions').next([])?.target).toMatchObject({ hostname: 'decisions', port: '80' });
    expect(open('https://decisions').next([])?.target).toMatchObject({ hostname: 'decisions', port: '443' });
  });

  it.each([
    '',
    'decisions:8082',
    'ftp://decisions',
    'http://decisions/path',
    'http://a,nonsense',
    'http://a,https://b',
  ])('are not %j', (urls) => {
    expect(() => open(urls)).toThrow(EnvironmentError);
    expect(() => open(urls)).toThrow('DECISIONS_URL');
  });
});
