// Scripts for PowerShell that prepare a domain for desktops: fixed texts, and what the gateway says in front of one, each word quoted.
import { readFileSync } from 'node:fs';

/** Those that are the same for everybody. */
export const installScripts = ['install-ad-ds.ps1', 'install-ad-cs.ps1'] as const;
type ScriptName = (typeof installScripts)[number] | 'configure-ad.ps1';

const texts = new Map<ScriptName, string>();
/** Read when it is first asked for. */
export function scriptText(name: ScriptName): string {
  const text = texts.get(name) ?? readFileSync(new URL(name, import.meta.url), 'utf8');
  texts.set(name, text);
  return text;
}

/** A literal of PowerShell, whatever stands in the text: curly quotes end one as straight ones do (about_Quoting_Rules). */
export const quotedForPowerShell = (text: string): string =>
  `'${text.replace(/\p{Cc}/gu, ' ').replace(/['\u2018-\u201b]/g, quote => quote + quote)}'`;

/** What prepares a domain, and prints the resource by which this cluster finds its desktops. */
export const configureScript = ({ cluster }: { readonly cluster: string }): string =>
  [
    '# Prepares an Active Directory domain for desktops: makes an account that reads the directory, and a group policy that lets computers take RDP.',
    '# Prints what the gateway is told then. Runs on a domain controller, as an administrator of the domain; run again, it gives the account another password.',
    `$cluster = ${quotedForPowerShell(cluster)}`,
    scriptText('configure-ad.ps1'),
  ].join('\n');

/** A script that says what is wrong, and fails. */
export const failingPowerShell = (why: string): string => `throw ${quotedForPowerShell(`postern: ${why}`)}\n`;
