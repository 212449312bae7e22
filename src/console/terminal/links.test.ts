import { expect, test } from 'vitest';
import { webAddress } from './links.ts';

test.each(['https://example.org/a?b#c', 'http://10.0.0.1:8080/', 'HTTPS://EXAMPLE.ORG/'])('%s is opened', text => {
  expect(webAddress(text)).toBe(new URL(text).href);
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'vbscript:x',
  'blob:https://a/b',
  '//example.org',
  'example.org',
  '',
])('%j is not opened', text => expect(webAddress(text)).toBeNull());
