import { describe, expect, test } from 'vitest';
import { ConfigurationError, type ConfigurationInput, readConfiguration } from './configuration.ts';
import { settingsHelp } from './help.ts';
import { flagOf, variableOf } from './setting.ts';
import { settings } from './table.ts';

const read = (
  argv: readonly string[],
  given: { env?: Record<string, string>; files?: Record<string, string>; hostname?: string } = {},
) => {
  const input: ConfigurationInput = {
    argv,
    env: given.env ?? {},
    readFile: path => given.files?.[path] ?? null,
    home: '/home/ann',
    hostname: given.hostname ?? 'box',
  };
  return readConfiguration(input);
};
const problems = (argv: readonly string[], given?: Parameters<typeof read>[1]): readonly string[] => {
  try {
    read(argv, given);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
};
const file = (text: string) => ({ files: { '/p.yaml': text } });
/** Looks like a certificate and is none. */
const cert = `-----BEGIN CERTIFICATE-----
MIIBbTCCAROgAwIBAgIUFZ2Vn6H2ZQ2o4K2mM8nD9s8w2XUwCgYIKoZIzj0EAwIw
-----END CERTIFICATE-----
`;

describe('what holds when nobody says anything', () => {
  test('loopback, the folder of the XDG rules, SQLite, and the name of the machine', () => {
    expect(read([])).toMatchObject({
      dataFolder: '/home/ann/.local/share/postern',
      recordingsFolder: '/home/ann/.local/share/postern/recordings',
      recordingsBucket: null,
      retention: { keepMs: 0, labels: [], mostBytes: 0 },
      listen: { host: '127.0.0.1', port: 3080 },
      publicUrl: null,
      resourcesPath: null,
      store: { kind: 'sqlite', folder: '/home/ann/.local/share/postern' },
      tls: null,
      trustProxy: false,
      clusterName: { name: 'box', chosen: false },
      sessionKeepMs: 600_000,
      sessionTtlMs: 43_200_000,
      inactivityTimeoutMs: 0,
      passwordLeastCharacters: 12,
      rateLimit: { burst: 40, perMinute: 20 },
      logLevel: 'info',
      webConfig: {
        ui: { scrollbackLines: 1000 },
        canJoinSessions: true,
        auth: { second_factor: 'off', motd: '' },
        passwordLeastCharacters: 12,
      },
    });
  });
  test('XDG_DATA_HOME moves the data, unless it is no absolute path', () => {
    expect(read([], { env: { XDG_DATA_HOME: '/data' } }).dataFolder).toBe('/data/postern');
    expect(read([], { env: { XDG_DATA_HOME: 'data' } }).dataFolder).toBe('/home/ann/.local/share/postern');
  });
  test.each([
    ['Ann’s Laptop.local', 'ann-s-laptop.local'],
    ['---', 'localhost'],
    ['', 'localhost'],
  ])('the machine name %j makes the cluster name %s', (hostname, name) =>
    expect(read([], { hostname }).clusterName.name).toBe(name),
  );
});

test.each([
  ['s3://acme', { name: 'acme', prefix: '', endpoint: null, region: null }],
  [
    's3://acme/postern/eu/?region=eu-central-1',
    { name: 'acme', prefix: 'postern/eu/', endpoint: null, region: 'eu-central-1' },
  ],
  [
    's3://acme/x?endpoint=https://s3.example.com:9000',
    { name: 'acme', prefix: 'x/', endpoint: 'https://s3.example.com:9000', region: null },
  ],
])('a bucket is named by %s', (written, place) =>
  expect(read(['--recordings-bucket', written, '--recordings-copies', '5GB']).recordingsBucket).toEqual({
    ...place,
    copiesMostBytes: 5e9,
  }),
);
test('what was given is told with its place, and nothing of what may hold a password', () => {
  const { given } = read(['--store', 'postgres://ann:hunter2@host/db', '--key-command', 'vault --token hunter2'], {
    env: { POSTERN_MOTD: 'be kind' },
  });
  expect(given).toContainEqual({ key: 'motd', value: 'be kind', where: 'POSTERN_MOTD' });
  expect(given).toContainEqual({ key: 'store', value: '(set)', where: '--store' });
  expect(JSON.stringify(given)).not.toContain('hunter2');
});

test('of an address that was given neither a password nor its query is told', () => {
  const { given } = read([
    ...['--telemetry-url', 'https://counts.example.com/take?key=hunter2'],
    ...['--support-url', 'https://ann:hunter2@help.example.com/desk'],
    ...['--sales-url', 'https://www.example.com/plans'],
  ]);
  expect(given.map(({ value }) => value).sort()).toEqual([
    'https://counts.example.com/take?(set)',
    'https://help.example.com/desk',
    'https://www.example.com/plans',
  ]);
});

test.each(['acme', 'https://acme', 's3://A', 's3://key:secret@acme', 's3://acme?secret=x', 's3://acme?endpoint=x'])(
  'a bucket is not named by %s',
  written =>
    expect(problems(['--recordings-bucket', written])[0]).toBe(
      '--recordings-bucket: what was given is not allowed: s3://BUCKET/FOLDER?region=REGION&endpoint=URL, all but the bucket left out where not needed expected',
    ),
);

test('anchors of the audit log go into a bucket, too', () => {
  expect(read(['--audit-anchor', 's3://acme/anchors?region=eu-central-1']).audit.anchor).toEqual({
    bucket: { name: 'acme', prefix: 'anchors/', endpoint: null, region: 'eu-central-1' },
  });
  expect(problems(['--audit-anchor', 's3://acme?secret=x'])).toEqual([
    '--audit-anchor: s3://BUCKET/FOLDER?region=REGION&endpoint=URL, all but the bucket left out where not needed expected',
  ]);
});
test('a bucket is reached without TLS on this machine only', () => {
  expect(problems(['--recordings-bucket', 's3://acme?endpoint=http://s3.example.com'])).toEqual([
    '--recordings-bucket: what was given is not allowed: an endpoint with https, so that nothing crosses the network in the clear, expected',
  ]);
  expect(problems(['--recordings-bucket', 's3://acme?endpoint=http://[::1]:9000'])).toEqual([]);
});

test('the second factor is said to the page, and gives out recovery codes unless they are not wanted', () => {
  expect(read(['--second-factor', 'otp'])).toMatchObject({
    factors: { secondFactor: 'otp', allowPasswordless: false, recoveryCodes: true },
    webConfig: { auth: { second_factor: 'otp', preferredLocalMfa: 'otp' }, recoveryCodesEnabled: true },
  });
  expect(read(['--second-factor', 'on', '--passwordless', 'first', '--recovery-codes=false'])).toMatchObject({
    factors: { secondFactor: 'on', allowPasswordless: true, recoveryCodes: false },
    webConfig: {
      auth: { allowPasswordless: true, localConnectorName: 'passwordless', preferredLocalMfa: 'webauthn' },
      recoveryCodesEnabled: false,
    },
  });
});
test('hardware keys are refused where there can be none', () => {
  const keys = ['--second-factor', 'webauthn', '--public-url'];
  expect(problems([...keys, 'https://192.0.2.1:8443'])).toEqual([
    expect.stringMatching(/^--public-url: hardware keys and passkeys are bound to a domain name, and https:\/\/192/),
  ]);
  expect(problems([...keys, 'https://[2001:db8::1]'])).toHaveLength(1);
  expect(problems([...keys, 'https://1.2.3.4.example.com'])).toEqual([]);
  expect(problems(['--passwordless', 'allowed'])).toEqual([
    expect.stringMatching(/^--passwordless: "allowed": .* --second-factor off takes none/),
  ]);
});

test('a theme that there is none of is refused with those there are', () => {
  expect(problems(['--custom-theme', 'pink'])).toEqual(['--custom-theme: "pink": one of orange expected']);
  expect(read(['--custom-theme', 'orange']).webConfig.customTheme).toBe('orange');
});

describe('where a setting comes from', () => {
  const env = { POSTERN_LISTEN: '127.0.0.1:2' };
  const files = { '/home/ann/.config/postern/postern.yaml': 'listen: 127.0.0.1:3\nsession: {ttl: 1h}\n' };
  test('flags win over variables, variables over the file', () => {
    expect(read(['--listen', '127.0.0.1:1'], { env, files }).listen.port).toBe(1);
    expect(read([], { env, files }).listen.port).toBe(2);
    expect(read([], { files }).listen.port).toBe(3);
    expect(read([], { env, files }).sessionTtlMs).toBe(3_600_000);
  });
  test('the file may be named, by flag or variable, and must then be there', () => {
    expect(read(['--config', '/p.yaml'], file('log: {level: debug}')).logLevel).toBe('debug');
    expect(read([], { ...file('log: {level: debug}'), env: { POSTERN_CONFIG: '/p.yaml' } }).logLevel).toBe('debug');
    expect(problems(['--config', '/no.yaml'])).toEqual(['--config: /no.yaml: no such file']);
  });
  test('an empty file and an empty variable set nothing', () => {
    expect(read(['--config', '/p.yaml'], file('')).listen.port).toBe(3080);
    expect(read([], { env: { POSTERN_LISTEN: '' } }).listen.port).toBe(3080);
  });
  test('a flag takes its value after a space or an equals sign', () => {
    expect(read(['--listen=127.0.0.1:1', '--data', '/a b']).dataFolder).toBe('/a b');
    expect(read(['--motd', '-hello']).webConfig.auth.motd).toBe('-hello');
  });
  test('a switch stands alone or takes true or false', () => {
    expect(read(['--cloud', '--dashboard', 'false']).webConfig).toMatchObject({ isCloud: true, isDashboard: false });
    expect(read(['--cloud=true'], { env: { POSTERN_DASHBOARD: '1' } }).webConfig).toMatchObject({
      isCloud: true,
      isDashboard: true,
    });
    expect(read(['--config', '/p.yaml'], file('cloud: true')).webConfig.isCloud).toBe(true);
  });
  test('every setting has its own flag and variable, and stands in the help', () => {
    const rows = Object.values(settings);
    expect(new Set(rows.map(flagOf)).size).toBe(rows.length);
    expect(new Set(rows.map(variableOf)).size).toBe(rows.length);
    for (const row of rows)
      for (const word of [flagOf(row), variableOf(row), row.help, row.otherwise])
        expect(settingsHelp()).toContain(word);
  });
});

describe('what cannot be used stops the start', () => {
  test.each([
    [['--lisen', '127.0.0.1:1'], '--lisen: no such setting; did you mean --listen? (--help lists them)'],
    [['--wibble'], '--wibble: no such setting (--help lists them)'],
    [['start'], '"start": every setting begins with "--" (--help lists them)'],
    [['--listen'], '--listen: HOST:PORT expected after it'],
    [['--listen', '--data'], '--listen: HOST:PORT expected after it'],
    [['--listen', '127.0.0.1:1', '--listen', '127.0.0.1:2'], '--listen: given twice'],
    [['--listen', 'nowhere'], '--listen: "nowhere": HOST:PORT, such as 127.0.0.1:3080 or [::1]:3080 expected'],
    [['--listen', '127.0.0.1:70000'], '--listen: "127.0.0.1:70000": HOST:PORT'],
    [['--public-url', 'https://a.example/path'], '--public-url: "https://a.example/path": an address such as'],
    [['--public-url', 'ftp://a.example'], '--public-url: "ftp://a.example": an address such as'],
    [['--session-ttl', 'soon'], '--session-ttl: "soon": a duration from 1m to 720h, such as 90s, 30m or 12h expected'],
    [['--session-ttl', '1s'], '--session-ttl: "1s": a duration from 1m'],
    [['--password-least-characters', '5'], '--password-least-characters: "5": a whole number from 6 to 128 expected'],
    [
      ['--terminal-scrollback-lines', '1e3'],
      '--terminal-scrollback-lines: "1e3": a whole number from 0 to 100000 expected',
    ],
    [['--log-level', 'loud'], '--log-level: "loud": one of silent, fatal, error'],
    [['--retention-most', '5 GB'], '--retention-most: "5 GB": a size such as 500MB, 20GB or 2TB expected'],
    [
      ['--retention-labels', 'env=prod:10d,dev:3d'],
      '--retention-labels: "env=prod:10d,dev:3d": labels with times, such as env=prod:3650d,env=dev:30d expected',
    ],
    [['--cloud=maybe'], '--cloud: "maybe": true or false expected'],
    [['--cluster-name', 'a/b'], '--cluster-name: "a/b": a name of at most 63 letters'],
    [['--tls-key', '/k.pem'], '--tls-cert: missing: a certificate and its key go together'],
    [['--tls-cert', '/c.pem', '--tls-key', '/k.pem'], '--tls-cert: /c.pem: no such file'],
    [['--sales-url', 'www.example.com'], '--sales-url: "www.example.com": an address such as'],
    [['--sales-url', 'javascript:alert(1)'], '--sales-url: "javascript:alert(1)": an address such as'],
    [['--sales-url', 'https://a:b@example.com/'], 'an address such as'],
    [['--logo', '/no.svg'], '--logo: /no.svg: no such file'],
    [['--license', '/no.pem', '--dashboard'], '--license: /no.pem: no such file'],
    [['--license', '/no.pem'], '--license: goes with --dashboard'],
    [['--assistant-model', 'm'], '--assistant-address: missing: the address of the assistant'],
    [['--assistant-address', 'http://m.example/v1'], '--assistant-model: missing'],
    [['--assistant-key', 'k'], '--assistant-key: goes with --assistant-address, which is missing'],
    [['--assistant-address', 'file:///etc/passwd', '--assistant-model', 'm'], 'an address such as'],
    [['--billing-key-file', '/k'], '--billing-key-file: goes with --billing-address, which is missing'],
    [['--billing-address', 'https://b.example', '--billing-key-file', '/no'], '--billing-key-file: /no: no such file'],
  ])('%j', (argv, what) => expect(problems(argv)[0]).toContain(what));

  test('variables, too, are named and compared with what there is', () => {
    expect(problems([], { env: { POSTERN_LISTN: 'x' } })).toEqual([
      'POSTERN_LISTN: no such setting; did you mean POSTERN_LISTEN? (--help lists them)',
    ]);
    expect(problems([], { env: { POSTERN_SESSION_KEEP: 'x' } })[0]).toContain('POSTERN_SESSION_KEEP: "x": a duration');
    expect(problems([], { env: { POSTERN_DEV_ANYTHING: 'x', OTHER: 'y' } })).toEqual([]);
  });

  test.each([
    ['listen: [', '/p.yaml: not readable as YAML: '],
    ['a: 1\na: 2', '/p.yaml: not readable as YAML: Map keys must be unique (line 2, column 1)'],
    ['- listen', '/p.yaml: the document: "key: value" lines expected'],
    ['data: /x\nlisten: nowhere', '/p.yaml: listen (line 2, column 1): "nowhere": HOST:PORT'],
    ['session:\n  tll: 1h', '/p.yaml: session.tll (line 2, column 3): no such setting; did you mean session.ttl?'],
    ['session: 1h', '/p.yaml: session: "key: value" lines expected'],
    ['listen: {host: a}', '/p.yaml: listen (line 1, column 1): one value expected'],
    ['listen:', '/p.yaml: listen (line 1, column 1): a value expected'],
    ['config: /x', '/p.yaml: config (line 1, column 1): no such setting'],
    [
      'terminal: {scrollback-lines: many}',
      '/p.yaml: terminal.scrollback-lines (line 1, column 12): "many": a whole number',
    ],
  ])('in the file: %j', (text, what) => expect(problems(['--config', '/p.yaml'], file(text))[0]).toContain(what));

  test('all problems are told at once', () =>
    expect(problems(['--nope', '--listen', 'x', '--session-ttl', 'y'])).toHaveLength(3));

  test('the address of a database is not shown back: it may hold a password', () => {
    const [problem = ''] = problems(['--store', 'mysql://ann:secret@host/db']);
    expect(problem).toContain('--store: what was given is not allowed: sqlite, or postgres://');
    expect(problem).not.toContain('secret');
  });

  test('what is no certificate is refused', () => {
    const files = { '/c.pem': cert, '/k.pem': 'nonsense' };
    expect(problems(['--tls-cert', '/c.pem', '--tls-key', '/k.pem'], { files })[0]).toContain(
      '--tls-cert: not a PEM certificate with its key: ',
    );
  });
});

describe('the logo', () => {
  const logo = (content: string) => read(['--logo', '/l'], { files: { '/l': content } });
  const refused = (content: string) => problems(['--logo', '/l'], { files: { '/l': content } });
  test.each([
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '\uFEFF<?xml version="1.0"?>\n<!-- made\nby hand -->\n<svg\n>',
    '<!DOCTYPE svg PUBLIC "a" "b"><svg >',
  ])('%j is an SVG image, and its path is told to the console', content => {
    const { logo: image, webConfig } = logo(content);
    expect([image?.type, webConfig.customLogo]).toEqual(['image/svg+xml', image?.path]);
  });
  test.each(['', 'svg', '<html><svg></svg></html>', '<svgx>', 'GIF89a', '\x89PNG'])('%j is no image', content =>
    expect(refused(content)).toEqual(['--logo: /l: an SVG or PNG image expected']),
  );
  test('of more than 256 KiB is refused', () => {
    const svg = (bytes: number) => `<svg>${'x'.repeat(bytes - '<svg>'.length)}`;
    expect(logo(svg(262_144)).logo?.bytes).toHaveLength(262_144);
    expect(refused(svg(262_145))).toEqual(['--logo: /l: a file of at most 256 KiB expected']);
  });
  test('there is none unless someone names one', () => {
    expect([read([]).logo, read([]).webConfig.customLogo]).toEqual([null, undefined]);
  });
});

describe('listening beyond loopback', () => {
  test.each(['0.0.0.0:3080', '[::]:3080', '192.168.1.2:3080', 'box.example:3080'])(
    '%s without TLS is refused with the reason',
    listen => {
      expect(problems(['--listen', listen])).toEqual([
        expect.stringContaining('without TLS passwords and sessions would cross the network in the clear'),
      ]);
      expect(problems(['--listen', listen, '--trust-proxy'])).toEqual([]);
    },
  );
  test.each(['127.0.0.1:3080', '127.1.2.3:80', '[::1]:3080', 'localhost:3080', '3080'])('%s is loopback', listen =>
    expect(problems(['--listen', listen])).toEqual([]),
  );
});

test('the assistant is off until it has an address and a model, and its key is never shown back', () => {
  expect([read([]).assistant, read([]).webConfig.assistEnabled]).toEqual([null, false]);
  const flags = ['--assistant-address', 'https://models.example/v1/', '--assistant-model', 'm'];
  const named = read([...flags, '--assistant-key-file', '/k'], { files: { '/k': 'secret-key\nmore\n' } });
  expect([named.assistant, named.webConfig.assistEnabled]).toEqual([
    { address: 'https://models.example/v1', model: 'm', key: 'secret-key', perMinute: 20 },
    true,
  ]);
  const written = read(flags, { env: { POSTERN_ASSISTANT_KEY: 'secret-key' } });
  expect(written.assistant?.key).toBe('secret-key');
  expect(JSON.stringify(written.given)).not.toContain('secret-key');
});

test('nobody makes invoices until a provider has an address, and its key is never shown back', () => {
  expect(read([]).billing).toBeNull();
  const address = ['--billing-address', 'https://billing.example/v1/'];
  expect(read(address).billing).toEqual({ address: 'https://billing.example/v1', key: null });
  const named = read([...address, '--billing-key-file', '/k'], { files: { '/k': 'secret-key\n' } });
  expect(named.billing?.key).toBe('secret-key');
  const written = read(address, { env: { POSTERN_BILLING_KEY: 'secret-key' } });
  expect(JSON.stringify(written.given)).not.toContain('secret-key');
});
