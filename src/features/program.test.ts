import { expect, test } from 'vitest';
import { programText } from './program.ts';

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    '192.0.2.7:4312',
    'Firefox on Linux, 192.0.2.7',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0 Safari/537.36 Edg/143.0',
    '[2001:db8::1]:80',
    'Edge on Windows, [2001:db8::1]',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Mobile Safari/604.1',
    '2001:db8::1',
    'Safari on iOS, 2001:db8::1',
  ],
  ['curl/8.0', '', 'curl/8.0'],
  ['', '', 'Unknown program'],
])('%s from "%s"', (userAgent, remoteAddr, text) => expect(programText({ userAgent, remoteAddr })).toBe(text));
