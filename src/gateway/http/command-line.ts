// The command line for people's own machines: one file, its checksum, and the scripts that install it. Nothing of it is secret.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { getLicense, LICENSE_FILE, listDownloads } from '../../contract/downloads.ts';
import { Failure } from '../../contract/failure.ts';
import { attachment } from './attachment.ts';
import { createBuiltFile } from './built-file.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

const FILE = 'postern.mjs';

interface Built {
  readonly text: string;
  /** SHA-256, in hex. */
  readonly sum: string;
}

/** For a POSIX shell: fetches, checks, and puts it on the path as most systems have it. */
const posix = (sum: string, url: string): string => `#!/bin/sh
# Puts the command line of ${url} into ~/.local/bin. It needs Node 22 or later.
set -eu; mkdir -p "$HOME/.local/bin"; cd "$HOME/.local/bin"; curl -fsSo ${FILE}.new '${url}/scripts/${FILE}'; echo '${sum}  ${FILE}.new' > ${FILE}.sha256; if command -v sha256sum > /dev/null; then sha256sum -c ${FILE}.sha256; else shasum -a 256 -c ${FILE}.sha256; fi
rm ${FILE}.sha256; chmod 755 ${FILE}.new; mv -f ${FILE}.new ${FILE}; ln -sf ${FILE} postern; echo "Installed as $PWD/postern. Sign in with: postern sign-in --url ${url}"
`;

/** The same for PowerShell, in a folder of the person's own that is put on their path. */
const powershell = (
  sum: string,
  url: string,
): string => `# Puts the command line of ${url} into a folder of yours. It needs Node 22 or later.
$ErrorActionPreference = 'Stop'; $at = "$env:LOCALAPPDATA\\Postern"; New-Item -Force -ItemType Directory $at | Out-Null; Invoke-WebRequest -UseBasicParsing '${url}/scripts/${FILE}' -OutFile "$at\\${FILE}.new"; if ((Get-FileHash "$at\\${FILE}.new").Hash -ne '${sum}') { throw 'The checksum does not fit: nothing was installed.' }
Move-Item -Force "$at\\${FILE}.new" "$at\\${FILE}"; Set-Content "$at\\postern.cmd" '@node "%~dp0${FILE}" %*'; $mine = [Environment]::GetEnvironmentVariable('Path', 'User'); if ("$mine".Split(';') -notcontains $at) { [Environment]::SetEnvironmentVariable('Path', "$mine;$at", 'User'); $env:Path += ";$at" }; "Installed as $at\\postern.cmd. Sign in with: postern sign-in --url ${url}"
`;

const abouts: Readonly<Record<string, string>> = {
  [FILE]: 'The command line, for Node 22 and later on Linux, macOS and Windows',
  [`${FILE}.sha256`]: 'Its checksum, as sha256sum reads it',
  'postern.sh': 'Installs the command line on Linux and macOS',
  'postern.ps1': 'Installs the command line on Windows',
};

export function serveCommandLine(app: FastifyInstance, serve: Serve, { config }: Services): void {
  const built = createBuiltFile(join(config.consoleFolder, FILE), text => ({
    text,
    sum: createHash('sha256').update(text).digest('hex'),
  }));
  const answers: Readonly<Record<string, (file: Built) => string>> = {
    [FILE]: ({ text }) => text,
    [`${FILE}.sha256`]: ({ sum }) => `${sum}  ${FILE}\n`,
    'postern.sh': ({ sum }) => posix(sum, config.publicUrl),
    'postern.ps1': ({ sum }) => powershell(sum, config.publicUrl),
  };
  const licensed = config.webConfig.isDashboard ? config.license : null;
  serve(listDownloads, async (_asked, who) => {
    const file = await built();
    const license =
      licensed && who.rights.may('license', 'read')
        ? { expires: licensed.ends.toISOString(), bytes: licensed.bytes, sum: licensed.sum }
        : null;
    if (file === null) return { version: config.version, downloads: [], license };
    const downloads = Object.entries(answers).map(([name, answer]) => {
      const text = answer(file);
      const sum = createHash('sha256').update(text).digest('hex');
      return { name, about: abouts[name] ?? '', path: `/scripts/${name}`, bytes: Buffer.byteLength(text), sum };
    });
    return { version: config.version, downloads, license };
  });
  serve(getLicense, ({ reply }) => {
    if (!licensed) throw new Failure('not_found', 'this cluster hands out no licence');
    return reply
      .type('application/x-pem-file')
      .header('content-disposition', attachment(LICENSE_FILE))
      .send(licensed.text);
  });
  for (const [name, answer] of Object.entries(answers))
    app.get(`/scripts/${name}`, async (_request, reply) => {
      const file = await built();
      if (file === null) throw new Failure('unavailable', 'the command line is not built yet: run "npm run build"');
      const type = name === FILE ? 'text/javascript' : 'text/plain';
      return reply.type(`${type}; charset=utf-8`).send(answer(file));
    });
}
