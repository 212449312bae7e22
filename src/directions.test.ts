// Which room may import which: the architecture of README.md, held by a walk over every source file.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** What every part of the console that shows something may use. */
const base = ['src/contract', 'src/features', 'commands', 'src/console/ui', 'src/console/styles'];

/** Room -> rooms it may import beside itself. The longest matching room owns a file. */
const may: Readonly<Record<string, readonly string[]>> = {
  'src/contract': [],
  'src/features': ['src/contract'],
  'src/client': ['src/contract'],
  commands: ['src/contract', 'src/features'],

  'src/console/ui': [],
  'src/console/manual': ['src/manual', 'src/features'],
  'src/console/styles': [],
  'src/console/terminal': [...base, 'src/client'],
  'src/console/player': [...base, 'src/client', 'src/console/terminal', 'src/console/desktop'],
  'src/console/desktop': [...base, 'src/client', 'src/console/terminal', 'src/console/palette'],
  'src/console/wizards': [...base, 'src/client'],
  'src/console/palette': [...base, 'src/console/manual'],
  'src/console/screens': [
    ...base,
    'src/client',
    'src/console/palette',
    'src/console/terminal',
    'src/console/player',
    'src/console/desktop',
    'src/console/wizards',
    'src/console/manual',
    'src/manual',
  ],
  'src/console/shell': [
    ...base,
    'src/client',
    'src/console/palette',
    'src/console/terminal',
    'src/console/player',
    'src/console/desktop',
    'src/console/wizards',
    'src/console/screens',
    'src/console/manual',
  ],
  'src/console': ['src/contract', 'src/features', 'src/client', 'commands', 'src/console/*'],

  'src/manual': [],
  'src/node': ['src/contract'],
  'src/cli': ['src/contract', 'src/features', 'src/client', 'src/node', 'commands'],

  'src/gateway/ports': ['src/contract'],
  'src/gateway/store': ['src/contract', 'src/gateway/ports'],
  'src/gateway/services': ['src/contract', 'src/node', 'src/gateway/ports', 'src/gateway/store'],
  // The doors parse and call: what is kept is seen by the services alone.
  'src/gateway/http': ['src/contract', 'src/node', 'src/gateway/ports', 'src/gateway/services'],
  'src/gateway/admin': ['src/contract', 'src/gateway/ports', 'src/gateway/services', 'src/gateway', 'src/node'],
  'src/gateway/live': ['src/contract', 'src/gateway/ports', 'src/gateway/services', 'src/gateway/http'],
  'src/gateway': ['src/contract', 'src/node', 'src/gateway/*'],
};

/** Engine -> the one room that may import it. */
const engines: Readonly<Record<string, readonly string[]>> = {
  '@devolutions/': ['src/console/desktop', 'src/gateway/services/desktop-drawing'],
  'jpeg-js': ['src/gateway/services/desktop-drawing'],
  '@xterm/': ['src/console/terminal', 'src/console/player', 'src/gateway/services/recordings'],
  cmdk: ['src/console/palette'],
  'hotkeys-js': ['src/console/palette'],
  '@floating-ui/': ['src/console/ui'],
  wouter: ['src/console/shell'],
  ssh2: ['src/gateway/services/protocols/ssh'],
  '@lydell/node-pty': ['src/gateway/services/protocols/local'],
  'better-sqlite3': ['src/gateway/store'],
  kysely: ['src/gateway/store'],
  pg: [
    'src/gateway/store',
    'src/gateway/services/protocols/databases/prompt',
    'src/gateway/services/protocols/databases/postgresql',
  ],
};

interface Source {
  readonly path: string;
  /** Imported files of ours, relative to the root; type-only imports are marked. */
  readonly files: readonly { readonly path: string; readonly types: boolean }[];
  readonly packages: readonly string[];
  /** Those of them that more than types are imported from when the file is loaded. */
  readonly values: readonly string[];
}

function walk(folder: string): string[] {
  return readdirSync(folder).flatMap(name => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return walk(path);
    return /\.(ts|tsx|mjs)$/.test(name) && !/\.(test|bench)\.tsx?$/.test(name) && !/\.d\.ts$/.test(name) ? [path] : [];
  });
}

const importLine =
  /^\s*(?:import|export)\s+(type\s)?[^'"();]*?from\s+['"]([^'"]+)['"]|^\s*import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm;

const sources: readonly Source[] = ['src', 'commands']
  .flatMap(top => walk(join(root, top)))
  .map(file => {
    const files: { path: string; types: boolean }[] = [];
    const packages: string[] = [];
    const values: string[] = [];
    for (const [, types, from, bare, lazy] of readFileSync(file, 'utf8').matchAll(importLine)) {
      const target = from ?? bare ?? lazy ?? '';
      if (target.startsWith('.'))
        files.push({
          path: relative(root, resolve(dirname(file), target)),
          types: types !== undefined || lazy !== undefined,
        });
      else packages.push(target);
      if (types === undefined && lazy === undefined) values.push(target);
    }
    return { path: relative(root, file), files, packages, values };
  });

const roomOf = (path: string) =>
  Object.keys(may)
    .filter(room => path === room || path.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0];

/** Within these folders each subfolder is a room of its own, which must not import its neighbours. */
const separate = ['src/gateway/services/protocols', 'src/gateway/services', 'src/console/screens'];
const subroom = (path: string) => {
  const parent = separate.find(folder => path.startsWith(`${folder}/`));
  const rest = parent && path.slice(parent.length + 1);
  return parent && rest?.includes('/') ? `${parent}/${rest.split('/')[0]}` : undefined;
};

/** Folders that their neighbours share. */
const shared = new Set(['src/gateway/services/protocols/sftp', 'src/gateway/services/desktop-drawing']);

test('no import runs uphill', () => {
  const uphill = sources.flatMap(({ path, files }) => {
    const room = roomOf(path);
    return files.flatMap(({ path: target }) => {
      const into = roomOf(target);
      if (room === undefined || into === undefined || room === into) return [];
      const allowed = may[room]?.some(
        entry => entry === into || (entry.endsWith('/*') && into.startsWith(entry.slice(0, -1))),
      );
      return allowed ? [] : [`${path} -> ${target}`];
    });
  });
  expect(uphill).toEqual([]);
});

test('neighbouring services and screens do not import each other', () => {
  const across = sources.flatMap(({ path, files }) =>
    files.flatMap(({ path: target }) => {
      const mine = subroom(path);
      const theirs = subroom(target);
      return mine && theirs && mine !== theirs && !shared.has(theirs) ? [`${path} -> ${target}`] : [];
    }),
  );
  expect(across).toEqual([]);
});

test('no two files import each other in a ring', () => {
  const next = new Map(
    sources.map(source => [source.path, source.files.filter(file => !file.types).map(file => file.path)]),
  );
  const done = new Set<string>();
  const rings: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      rings.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      return;
    }
    if (done.has(path)) return;
    for (const target of next.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of next.keys()) visit(path, []);
  expect(rings).toEqual([]);
});

test('each engine has one importer', () => {
  const strays = sources.flatMap(({ path, packages }) =>
    packages.flatMap(name => {
      const rooms = Object.entries(engines).find(
        ([engine]) => name === engine || name.startsWith(engine.endsWith('/') ? engine : `${engine}/`),
      )?.[1];
      return rooms && !rooms.some(room => path.startsWith(`${room}/`)) ? [`${path} imports ${name}`] : [];
    }),
  );
  expect(strays).toEqual([]);
});

test('the browser rooms import nothing of Node, and the gateway and the command line nothing of the browser', () => {
  const strays = sources.flatMap(({ path, packages }) =>
    packages
      .filter(name =>
        (/^src\/(gateway|cli|node)\//.test(path) ? /^(react|react-dom|wouter|cmdk|valtio)(\/|$)/ : /^node:/).test(name),
      )
      .map(name => `${path} imports ${name}`),
  );
  expect(strays).toEqual([]);
});

test('values of http come to the gateway by the one file that loads nothing of fetch beside them', () => {
  const strays = sources.flatMap(({ path, packages, values }) =>
    path.startsWith('src/gateway/') && !/\.test(ing)?\.ts$/.test(path) && values.includes('node:http')
      ? [`${path} imports node:http`]
      : [],
  );
  expect(strays).toEqual([]);
});
