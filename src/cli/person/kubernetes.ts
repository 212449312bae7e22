// Kubernetes clusters from a person's own machine: a context for kubectl, which asks this command line for its certificate.
import { createHash, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { isMap, isSeq, parseDocument, YAMLSeq } from 'yaml';
import type { ReplyOf } from '../../contract/call.ts';
import { createKubernetesCertificate, kubernetesKeyChallenge } from '../../contract/kubernetes.ts';
import { listKubes } from '../../contract/resources.ts';
import { plainText } from '../output.ts';
import { CLUSTER_FLAG, SESSION_FLAG } from '../read.ts';
import { table } from '../table.ts';
import { Refused, type Surface, type Typed, type Verb } from '../verb.ts';
import { certify } from './certificate.ts';
import { everyRow, type Opened, open } from './opened.ts';
import { readSession, sessionOf } from './session-file.ts';

/** A certificate is made anew when it ends within this time, ms. */
const FRESH_MS = 10_000;

type Credential = ReplyOf<typeof createKubernetesCertificate>;
const fetchCertificate = ({ session, clusterId }: Opened, name: string) =>
  certify(
    session,
    (body): Promise<Credential> => session.call(createKubernetesCertificate, { params: { clusterId, name }, body }),
    () => session.call(kubernetesKeyChallenge, { params: { clusterId, name } }),
  );

/** Written whole or not at all, readable by its owner alone. */
function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const part = `${file}.${process.pid}`;
  writeFileSync(part, text, { mode: 0o600 });
  renameSync(part, file);
}
/** Where a certificate and its key are kept between calls of kubectl. */
const keptAt = (sessionFile: string, name: string, leaf: string | null): string =>
  join(
    dirname(sessionFile),
    ...(leaf === null ? [] : ['leaves', encodeURIComponent(leaf)]),
    ...['clusters', `${encodeURIComponent(name)}.pem`],
  );
/** A certificate counts as long as the sign-in that it was fetched with: which one that was is said above it. */
const signInOf = (sessionFile: string): string =>
  `sign-in ${createHash('sha256')
    .update(readSession(sessionFile)?.cookie ?? '')
    .digest('hex')}`;
/** Null where none counts any more. */
function kept(sessionFile: string, name: string, leaf: string | null): string | null {
  const file = keptAt(sessionFile, name, leaf);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const counts = text.startsWith(signInOf(sessionFile));
  return counts && Date.parse(new X509Certificate(text).validTo) - Date.now() > FRESH_MS ? text : null;
}
/** Answers what was written. */
function keep(
  sessionFile: string,
  name: string,
  leaf: string | null,
  { certificate, privateKey }: Record<'certificate' | 'privateKey', string>,
) {
  const text = `${signInOf(sessionFile)}\n${certificate.trim()}\n${privateKey.trim()}\n`;
  write(keptAt(sessionFile, name, leaf), text);
  return text;
}
const pemIn = (text: string, of: string): string =>
  new RegExp(`-----BEGIN ${of}-----[\\s\\S]+?-----END ${of}-----\\n?`).exec(text)?.[0] ?? '';

/** What kubectl asks for. */
async function credentials(typed: Typed, { print }: Surface): Promise<number> {
  const [name = ''] = typed.words;
  const file = sessionOf(typed);
  // As `kube login` has written it: nobody is asked whether it is a leaf.
  const leaf = typed.one(CLUSTER_FLAG.name) ?? null;
  const text = kept(file, name, leaf) ?? keep(file, name, leaf, await fetchCertificate(await open(typed), name));
  const certificate = pemIn(text, 'CERTIFICATE');
  print(
    JSON.stringify({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: {
        expirationTimestamp: new Date(new X509Certificate(certificate).validTo).toISOString(),
        clientCertificateData: certificate,
        clientKeyData: pemIn(text, 'PRIVATE KEY'),
      },
    }),
  );
  return 0;
}

const contextOf = (name: string, leaf: string | null): string => `postern-${leaf === null ? '' : `${leaf}-`}${name}`;
/** The file that kubectl writes as well. */
const kubeconfigPath = (env: NodeJS.ProcessEnv): string =>
  resolve((env.KUBECONFIG ?? '').split(delimiter).find(path => path !== '') ?? join(homedir(), '.kube', 'config'));

/** A kubeconfig with an entry of this name in each of its lists, in place of one that was there; all else stays. Throws Refused. */
export function withContext(
  text: string,
  name: string,
  entries: { readonly cluster: object; readonly user: object; readonly context: object },
): string {
  const document = parseDocument(text.trim() === '' ? 'apiVersion: v1\nkind: Config\n' : text);
  if (document.errors.length > 0) throw new Refused('the kubeconfig is no YAML: mend it, or set KUBECONFIG to another');
  for (const [key, entry] of Object.entries(entries)) {
    const list = document.get(`${key}s`);
    const next = new YAMLSeq();
    next.items = isSeq(list) ? list.items.filter(item => !(isMap(item) && item.get('name') === name)) : [];
    next.add(document.createNode({ name, [key]: entry }));
    document.set(`${key}s`, next);
  }
  document.set('current-context', name);
  return document.toString();
}

/** Writes a context for a cluster into a kubeconfig, and makes it the current one. Answers as whom. Throws Refused, ApiError. */
export async function writeContext(at: Opened, name: string, file: string): Promise<readonly string[]> {
  const fetched = await fetchCertificate(at, name);
  const { authority, server, users, groups } = fetched;
  keep(at.file, name, at.leaf, fetched);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const [, script = ''] = process.argv;
  const context = contextOf(name, at.leaf);
  const inLeaf = at.leaf === null ? [] : [CLUSTER_FLAG.name, at.leaf];
  write(
    file,
    withContext(text, context, {
      cluster: { server, 'certificate-authority-data': Buffer.from(authority).toString('base64') },
      user: {
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1',
          command: process.execPath,
          args: [
            ...process.execArgv,
            resolve(script),
            'kube',
            'credentials',
            name,
            ...inLeaf,
            '--session-file',
            at.file,
          ],
          interactiveMode: 'IfAvailable',
        },
      },
      context: { cluster: context, user: context },
    }),
  );
  return [...users, ...groups];
}

async function login(typed: Typed, { print }: Surface): Promise<number> {
  const [name = ''] = typed.words;
  const file = kubeconfigPath(process.env);
  const at = await open(typed);
  const as = (await writeContext(at, name, file)).map(plainText).join(', ');
  print(`${file} has the context ${plainText(contextOf(name, at.leaf))}, as ${as}. Look at what runs there with:`);
  print('kubectl get pods');
  return 0;
}

async function list(typed: Typed, { print }: Surface): Promise<number> {
  const { session, clusterId } = await open(typed);
  const rows = await everyRow(query => session.call(listKubes, { params: { clusterId }, query }));
  print(
    table([
      ['Name', 'Users', 'Groups', 'Labels'],
      ...rows.map(({ name, labels, kubernetes_users, kubernetes_groups }) => [
        name,
        kubernetes_users.join(','),
        kubernetes_groups.join(','),
        labels.map(one => `${one.name}=${one.value}`).join(','),
      ]),
    ]),
  );
  return 0;
}

export const kubernetesVerbs: readonly Verb[] = [
  {
    verb: 'kube ls',
    words: [],
    help: 'Lists the Kubernetes clusters that you may use, and as whom',
    flags: [CLUSTER_FLAG, SESSION_FLAG],
    run: list,
  },
  {
    verb: 'kube login',
    words: ['NAME'],
    help: 'Makes a cluster the current context of kubectl, which asks here for its certificate',
    flags: [CLUSTER_FLAG, SESSION_FLAG],
    run: login,
  },
  {
    verb: 'kube credentials',
    words: ['NAME'],
    help: 'Prints a certificate for a cluster as kubectl asks for it',
    flags: [CLUSTER_FLAG, SESSION_FLAG],
    run: credentials,
  },
];
