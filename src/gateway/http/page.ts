// The console's page and files: index.html with its metas, config.js, and the hashed assets.
import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CONFIG_VARIABLE, type WebConfig } from '../../contract/config.ts';
import { Failure } from '../../contract/failure.ts';
import { bootConfig } from './boot-config.ts';
import { createBuiltFile } from './built-file.ts';
import { clearedSessionCookie, csrfToken, sessionCookie } from './cookies.ts';
import { pagePolicy } from './headers.ts';
import { serveLogo } from './logo.ts';
import { createPreloads } from './preloads.ts';
import { credentialsOf } from './serve.ts';
import type { Services } from './services.ts';
import { completeSignIn } from './sign-in-html.ts';

/** Where index.html takes the metas. */
const HEAD_PLACEHOLDER = '<!--postern-head-->';
/** Where it is drawn. */
const ROOT = '<div id="root"></div>';
/** Where the page takes its settings; the gateway puts them there instead of having them asked for. */
const CONFIG_SCRIPT = /<script\s+src="\/web\/config\.js"><\/script>/;
/** The console's own script, as the build names it. */
const ENTRY = /<script type="module" crossorigin src="([^"]+)"><\/script>/;
/** A page that came drawn is shown before its script is run: `first.ts` starts it then. Fetching it begins at once. */
const LATE_ENTRY = '<link rel="modulepreload" crossorigin href="$1" data-late>';
const INLINE_SCRIPT = /<script>([\s\S]*?)<\/script>/g;
const ASSET_MAX_AGE_SECONDS = 31_536_000;
const NONCE_BYTES = 18;
/** Pages for whoever is not signed in: no desktop is ever shown there. */
const PUBLIC = /^\/web\/(login|invite|reset|recover|msg)(\/|$)/;
/** Links with a one-time token in their path must not tell it to anyone as a referrer. */
const SECRET_PATHS = /^\/web\/(invite|reset)\//;

/** Whether a page may show a desktop: desktops are in tabs beside terminals, which stay whichever page is beside them. `url`: path and query. */
const mayShowDesktop = (url: string): boolean => !PUBLIC.test(url.split('?')[0] ?? '');

/** Registers `/`, `/web…`, `/web/config.js` and `/web/app/*`. */
export async function servePages(app: FastifyInstance, services: Services): Promise<void> {
  const { config, identity } = services;
  const index = path.join(config.consoleFolder, 'index.html');
  const template = createBuiltFile(index, built => {
    for (const place of [HEAD_PLACEHOLDER, ROOT])
      if (!built.includes(place)) throw new Error(`${index} has no ${place}`);
    for (const place of [CONFIG_SCRIPT, ENTRY])
      if (!place.test(built)) throw new Error(`${index} has nothing like ${place}`);
    return { html: built, scripts: [...built.matchAll(INLINE_SCRIPT)].map(([, text = '']) => hashOf(text)) };
  });
  const preloads = createPreloads(path.join(config.consoleFolder, 'preload.json'));

  async function page(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const built = await template();
    if (built === null) throw new Failure('unavailable', 'the console is not built yet: run "npm run build"');
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    const csrf = csrfToken(request.headers.cookie);
    if (csrf.setCookie) reply.header('set-cookie', csrf.setCookie);
    const metas = [meta('postern_csrf_token', csrf.token), meta('postern_style_nonce', nonce)];
    const signedIn = await identity.sessions.ofPage(credentialsOf(request)).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'denied') return error;
      throw error;
    });
    // The cookie goes, so that the next load is that of somebody who is not signed in.
    if (signedIn instanceof Failure)
      return reply
        .code(403)
        .header('set-cookie', clearedSessionCookie)
        .type('text/plain; charset=utf-8')
        .send(`${signedIn.message} Load this page again to sign in as yourself.\n`);
    if (signedIn) {
      reply.header('set-cookie', sessionCookie(signedIn.cookie));
      metas.push(meta('postern_bearer_token', Buffer.from(JSON.stringify(signedIn.reply)).toString('base64')));
    }
    const [pathname = '/'] = request.url.split('?');
    const { links, signInHtml } = await preloads(pathname, signedIn !== null);
    const known = await bootConfig(services);
    const script = configScript(known);
    const drawn = signInHtml && completeSignIn(signInHtml, known, request.query);
    const shown =
      drawn === undefined
        ? built.html
        : built.html.replace(ENTRY, LATE_ENTRY).replace(ROOT, () => ROOT.replace('><', () => `>${drawn}<`));
    if (SECRET_PATHS.test(request.url)) reply.header('referrer-policy', 'no-referrer');
    return reply
      .header(
        'content-security-policy',
        pagePolicy(nonce, [...built.scripts, hashOf(script)], mayShowDesktop(request.url)),
      )
      .type('text/html; charset=utf-8')
      .send(
        shown
          .replace(CONFIG_SCRIPT, () => `<script>${script}</script>`)
          .replace(HEAD_PLACEHOLDER, () => metas.join('\n'))
          .replace('</head>', () => `${links.join('\n')}\n</head>`),
      );
  }

  app.get('/', async (_request, reply) => reply.redirect('/web', 302));
  app.get('/web', page);
  app.get('/web/*', page);

  app.get('/web/config.js', async (_request, reply) =>
    reply.type('application/javascript; charset=utf-8').send(`${configScript(await bootConfig(services))}\n`),
  );

  serveLogo(app, config.logo);

  await app.register(fastifyStatic, {
    root: config.consoleFolder,
    prefix: '/web/app/',
    index: false,
    redirect: false,
    preCompressed: true,
    decorateReply: false,
    dotfiles: 'ignore',
    cacheControl: false,
    // The page itself is only ever served with its metas and its policy; the command line has an address of its own.
    allowedPath: name => !/^\/(index\.html|preload\.json|postern\.mjs)/.test(name),
    setHeaders(reply, file) {
      const hashed = file.includes(`${path.sep}assets${path.sep}`);
      reply.header(
        'cache-control',
        hashed ? `public, max-age=${ASSET_MAX_AGE_SECONDS}, immutable` : 'public, max-age=300',
      );
      // A worker obeys the policy that its own script came with.
      reply.header('content-security-policy', "default-src 'none'; script-src 'self'; connect-src 'self'");
    },
  });
}

/** Nothing secret is in it: the page needs it before anyone signs in. */
const configScript = (known: WebConfig): string => `var ${CONFIG_VARIABLE} = ${scriptJson(known)};`;

/** A script as a content security policy names it (CSP level 3, section 6.7.2.3). */
const hashOf = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

const meta = (name: string, content: string): string => `<meta name="${name}" content="${content}">`;

/** JSON that may stand in a script: no `</script>`, no line separators that end a string in older parsers. */
const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
