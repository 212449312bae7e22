import { expect, test } from 'vitest';
import { isProduction } from './production.ts';

test.each([
  [{ env: 'prod' }, true],
  [{ environment: 'Production' }, true],
  [{ 'company.com/stage': 'live' }, true],
  [{ Env: 'prod-eu' }, true],
  [{ tier: 'production' }, true],
  [{ prod: 'true' }, true],
  [{ production: '' }, true],
  [{ prod: 'no' }, false],
  [{ env: 'product-demo' }, false],
  [{ env: 'preprod' }, false],
  [{ env: 'staging' }, false],
  [{ team: 'prod' }, false],
  [{}, false],
])('%j: %s', (labels, is) => expect(isProduction(labels as Record<string, string>)).toBe(is));
