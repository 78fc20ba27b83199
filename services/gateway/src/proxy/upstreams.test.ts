import { describe, expect, it } from '@jest/globals';
import { EnvironmentError } from '@waymark/service-kit/process';
import { upstreams } from './upstreams.ts';

const open = (urls: string) => upstreams('decisions', urls, () => 0);

describe('replicas', () => {
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
