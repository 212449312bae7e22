// The script that makes the gateway an identity provider of an AWS account, and the role that it becomes there.
import { readFileSync } from 'node:fs';
import { AWS_AUDIENCE, AWS_SUBJECT } from '../../../contract/aws-oidc.ts';

/** Read once, by file. */
const texts = new Map<string, string>();
/** A script of ours with what it is for as a comment, and its words as variables. */
function scriptOf(file: string, purpose: string, words: Readonly<Record<string, string>>): string {
  const text = texts.get(file) ?? readFileSync(new URL(`./${file}`, import.meta.url), 'utf8');
  texts.set(file, text);
  const head = Object.entries(words).map(([name, value]) => `${name}='${value.replaceAll("'", '')}'`);
  return ['#!/bin/sh', `# ${purpose} in this AWS account.`, 'set -eu', ...head, text].join('\n');
}

/** What is wrong with what is asked for, or null: names of IAM roles and of integrations. */
export function wrongAsked(role: string, integration: string): string | null {
  if (!/^[\w+=,.@-]{1,64}$/.test(role))
    return 'role: the name of an IAM role, at most 64 letters, digits and + = , . @ _ -';
  return /^[A-Za-z0-9][A-Za-z0-9._@~+-]{0,254}$/.test(integration)
    ? null
    : 'integrationName: letters, digits and . _ @ ~ + -';
}

/** None of the words has a quote: each is held to a pattern, or the gateway's own. */
export function awsScript(words: {
  readonly issuer: string;
  /** Hex SHA-1 of who signed the gateway's certificate; '' where AWS finds it out. */
  readonly thumbprint: string;
  readonly role: string;
  readonly integration: string;
}): string {
  const all = { ...words, issuer: words.issuer.replace(/\/$/, ''), audience: AWS_AUDIENCE, subject: AWS_SUBJECT };
  return scriptOf('configure.sh', 'Lets Postern find databases and servers', all);
}

/** What lets the gateway's role run a service in ECS, and the role of that service. Its words are held to `wrongAsked`. */
export function deployScript(words: {
  readonly role: string;
  readonly integration: string;
  readonly task_role: string;
}): string {
  return scriptOf('configure-deploy.sh', 'Lets Postern run a service in ECS', words);
}

/** What lets the gateway's role reach machines through EC2 Instance Connect in one region. Its words are held to `wrongAsked` and `awsRegion`. */
export function connectScript(words: { readonly role: string; readonly region: string }): string {
  return scriptOf('configure-connect.sh', 'Lets Postern reach machines of EC2', words);
}
