// Login rules as YAML resources.
import {
  createLoginRule,
  deleteLoginRule,
  getLoginRule,
  listLoginRules,
  testLoginRules,
  updateLoginRule,
} from '../../contract/login-rule-calls.ts';
import { OK } from '../../contract/shapes.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveLoginRules(serve: Serve, { loginRules }: Services): void {
  serve(listLoginRules, async (_asked, who) => [...(await loginRules.list(who))]);
  serve(getLoginRule, ({ params }, who) => loginRules.get(params.name, who));
  serve(createLoginRule, ({ body }, who) => loginRules.create(body.content, who));
  serve(updateLoginRule, ({ params, body }, who) => loginRules.update(params.name, body.content, who));
  serve(testLoginRules, ({ body }, who) => loginRules.test(body, who));
  serve(deleteLoginRule, async ({ params }, who) => {
    await loginRules.remove(params.name, who);
    return OK;
  });
}
