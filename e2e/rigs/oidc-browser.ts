// A browser at the OpenID provider's own forms, without a browser: follows its redirects, signs in, and agrees or does not.
import { request } from 'node:https';
import type { OidcProvider } from './oidc-provider.ts';

interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly cookies: readonly string[];
  readonly body: string;
}

function ask(url: URL, ca: string, cookie: string, form?: URLSearchParams): Promise<Answer> {
  return new Promise((done, fail) => {
    const headers = { cookie, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) };
    const asked = request(url, { ca, headers, method: form ? 'POST' : 'GET' }, answer => {
      const chunks: Buffer[] = [];
      answer.on('data', chunk => chunks.push(chunk));
      answer.on('end', () =>
        done({
          status: answer.statusCode ?? 0,
          location: answer.headers.location,
          cookies: answer.headers['set-cookie'] ?? [],
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    asked.on('error', fail);
    asked.end(form?.toString());
  });
}

/** Where the provider sends the browser back to, once `login` has signed in there; without one they cancel. */
export async function signInAtProvider({ issuer, ca }: OidcProvider, start: string, login?: string): Promise<URL> {
  const jar = new Map<string, string>();
  let url = new URL(start);
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 20; step++) {
    if (url.origin !== issuer) return url;
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const { status, location, cookies, body } = await ask(url, ca, cookie, form);
    form = undefined;
    for (const line of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    if (location !== undefined) {
      url = new URL(location, url);
      continue;
    }
    const action = /<form[^>]* action="([^"]+)"/.exec(body)?.[1];
    const abort = /href="([^"]*\/abort)"/.exec(body)?.[1];
    if (login === undefined && abort !== undefined) url = new URL(abort, url);
    else if (action !== undefined) {
      url = new URL(action, url);
      const prompt = /name="prompt" value="(\w+)"/.exec(body)?.[1] ?? '';
      form = new URLSearchParams({ prompt, ...(prompt === 'login' && { login: login ?? '', password: 'x' }) });
    } else throw new Error(`the provider answers ${status}: ${body.slice(0, 500)}`);
  }
  throw new Error('the provider leads round in circles');
}
