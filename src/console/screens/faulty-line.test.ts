import { expect, test } from 'vitest';
import { faultyLine } from './faulty-line.ts';

test.each([
  ['line 7, column 5: unknown key "bogus"', 7],
  ['role.yaml:12:3: not a list', 12],
  ['YAML:10:3: oidc/x: spec.isuer: no such key', 10],
  ['YAML:4:1: a\nYAML:9:2: b', 4],
  ['role "x" is in use', undefined],
  ['there is no answer from 127.0.0.1:3080:', undefined],
])('%s names the line %s', (message, line) => expect(faultyLine(message)).toBe(line));
