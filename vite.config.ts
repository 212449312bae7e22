/// <reference types="vitest/config" />
// Builds the console into dist/console, and says where the tests are.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const root = import.meta.dirname;
const outDir = resolve(root, 'dist/console');
/** Where `npm run dev`-like use finds the API: a gateway on its default address. */
const GATEWAY = process.env.POSTERN_DEV_GATEWAY ?? 'http://localhost:3080';

const squeezable = /\.(js|css|svg|json|txt|webmanifest)$/;

/** Writes `x.br` and `x.gz` beside every text asset, so that the gateway never compresses while answering. */
function precompress(): Plugin {
  return {
    name: 'postern-precompress',
    apply: 'build',
    async closeBundle() {
      const names = await readdir(outDir, { recursive: true });
      await Promise.all(
        names
          .filter(name => squeezable.test(name))
          .map(async name => {
            const path = join(outDir, name);
            const bytes = await readFile(path);
            const [br, gz] = await Promise.all([
              promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
              promisify(gzip)(bytes, { level: 9 }),
            ]);
            await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
          }),
      );
    },
  };
}

/** Preloads the one font that the first paint needs; its hashed name is known only after the build. */
function preloadFont(): Plugin {
  return {
    name: 'postern-preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find(name => /inter-latin-wght-normal.*\.woff2$/.test(name));
        if (font === undefined) return [];
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/web/app/${font}`, crossorigin: '' };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}

export default defineConfig({
  root: resolve(root, 'src/console'),
  base: '/web/app/',
  publicDir: false,
  plugins: [react(), preloadFont(), precompress()],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2024',
    // The page's policy allows no data: fonts and scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
  },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  server: {
    proxy: {
      '/v1': { target: GATEWAY, ws: true },
      '/webapi': { target: GATEWAY, ws: true },
      '/web/config.js': { target: GATEWAY },
    },
  },
  test: {
    root,
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'commands/**/*.test.ts'],
    environment: 'node',
    pool: 'threads',
  },
});
