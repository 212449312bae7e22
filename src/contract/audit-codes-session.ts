// Audit codes about sessions on servers, applications, desktops and Kubernetes clusters.
import type { AuditRow } from './audit-codes.ts';

/** SFTP actions by number: title, what the user did, what the user failed to do. The code is TSnnn. */
const sftpActions: readonly (readonly [string, string, string])[] = [
  ['Open', 'opened file', 'open file'],
  ['Close', 'closed file', 'close file'],
  ['Read', 'read file', 'read file'],
  ['Write', 'wrote file', 'write file'],
  ['Lstat', 'looked at file', 'look at file'],
  ['Fstat', 'looked at open file', 'look at open file'],
  ['Setstat', 'changed attributes of file', 'change attributes of file'],
  ['Fsetstat', 'changed attributes of open file', 'change attributes of open file'],
  ['Opendir', 'opened directory', 'open directory'],
  ['Readdir', 'read directory', 'read directory'],
  ['Remove', 'removed file', 'remove file'],
  ['Mkdir', 'created directory', 'create directory'],
  ['Rmdir', 'removed directory', 'remove directory'],
  ['Realpath', 'resolved path', 'resolve path'],
  ['Stat', 'looked at file', 'look at file'],
  ['Rename', 'renamed file', 'rename file'],
  ['Readlink', 'read link', 'read link'],
  ['Symlink', 'made symbolic link', 'make symbolic link'],
  ['Link', 'made link', 'make link'],
];
const sftpRows: readonly AuditRow[] = sftpActions.flatMap(([title, did, failed], index): readonly AuditRow[] => {
  const code = `TS${String(index + 1).padStart(3, '0')}`;
  return [
    [`${code}I`, 'sftp', `SFTP ${title}`, `[{host}: ]User [{user} ]${did}[ {path}]`],
    [`${code}E`, 'sftp', `SFTP ${title} Failed`, `[{host}: ]User [{user} ]failed to ${failed}[ {path}][: {error}]`],
  ];
});

export const sessionCodes = {
  Session: [
    ['T2000I', 'session.start', 'Session Started', '[{host}: ]User [{user} ]started a session[ as {login}]'],
    ['T2001I', 'session.join', 'User Joined', '[{host}: ]User [{user} ]joined a session'],
    ['T2002I', 'resize', 'Terminal Resize', '[{host}: ]User [{user} ]resized the terminal of a session'],
    ['T2003I', 'session.leave', 'User Disconnected', '[{host}: ]User [{user} ]left a session'],
    ['T2004I', 'session.end', 'Session Ended', 'sessionEnd'],
    ['T2005I', 'session.upload', 'Session Uploaded', '[{host}: ]The recording of a session was stored'],
    ['T2006I', 'session.data', 'Session Data', '[{host}: ]A session reported how much it transferred'],
    ['T2010I', 'session.connect', 'Session Connected', 'A session connected[ to {server_addr}]'],
    [
      'T2012I',
      'session.recording.access',
      'Session Recording Accessed',
      '[{host}: ]User [{user} ]opened the recording of a session',
    ],
    [
      'T1006W',
      'session.rejected',
      'Session Rejected',
      '[{host}: ]User [{user} ]was refused a session[ as {login}][: {reason}]',
    ],
    [
      'T2014I',
      'session.broadcast',
      'Typed into Several Sessions',
      '[{host}: ]User [{user} ]typed into several sessions at once[: {servers}]',
    ],
  ],
  Recording: [
    [
      'TPR01I',
      'recording.remove',
      'Recording Removed',
      '[{host}: ]A recording past its time was removed[ by {reason}]',
    ],
    [
      'TPR02I',
      'recording.hold',
      'Recordings Held',
      '[{host}: ]User [{user} ]put a hold on recordings[ of {on}][: {reason}]',
    ],
    [
      'TPR03I',
      'recording.release',
      'Recordings Released',
      '[{host}: ]User [{user} ]ended the hold on recordings[ of {on}][: {reason}]',
    ],
  ],
  Snippet: [
    ['TSN00I', 'snippet.create', 'Snippet Created', '[{host}: ]User [{user} ]created a snippet[ {name}][ for {roles}]'],
    ['TSN01I', 'snippet.update', 'Snippet Updated', '[{host}: ]User [{user} ]changed a snippet[ {name}][ for {roles}]'],
    ['TSN02I', 'snippet.delete', 'Snippet Deleted', '[{host}: ]User [{user} ]deleted a snippet[ {name}]'],
  ],
  Assistant: [
    [
      'TAS00I',
      'assistant.ask',
      'Assistant Asked',
      '[{host}: ]User [{user} ]asked the assistant[ ({action})][, which used {tools}][ and proposed {proposals}]',
    ],
    [
      'TAS00E',
      'assistant.ask',
      'Assistant Failed',
      '[{host}: ]The assistant could not answer user [{user}][ ({action})][: {error}]',
    ],
    [
      'TAS01I',
      'assistant.conversation.create',
      'Conversation Created',
      '[{host}: ]User [{user} ]began a conversation with the assistant',
    ],
    [
      'TAS02I',
      'assistant.conversation.delete',
      'Conversation Deleted',
      '[{host}: ]User [{user} ]deleted a conversation with the assistant',
    ],
  ],
  'Session: enhanced recording': [
    ['T4000I', 'session.command', 'Session Command', '[{host}: ]Program [{program} ]ran in a session[: {argv}]'],
    ['T4001I', 'session.disk', 'Session File Access', '[{host}: ]Program [{program} ]opened[ {path}] in a session'],
    ['T4002I', 'session.network', 'Session Network Connection', 'sessionNetwork'],
    [
      'T4003I',
      'session.process_exit',
      'Session Process Exit',
      '[{host}: ]Program [{program} ]ended[ with status {exit_status}] in a session',
    ],
  ],
  SSH: [
    ['T3001I', 'subsystem', 'Subsystem Requested', '[{host}: ]User [{user} ]asked for subsystem[ {name}]'],
    [
      'T3001E',
      'subsystem',
      'Subsystem Request Failed',
      '[{host}: ]User [{user} ]failed to start subsystem[ {name}][: {exitError}]',
    ],
    [
      'T3002I',
      'exec',
      'Command Executed',
      '[{kubernetes_cluster}: ][{host}: ]User [{user} ]ran a command[: {command}]',
    ],
    ['T3002E', 'exec', 'Command Execution Failed', '[{host}: ]User [{user} ]failed to run a command[: {exitError}]'],
    ['T3003I', 'port', 'Port Forwarding Started', '[{host}: ]User [{user} ]started port forwarding'],
    ['T3003E', 'port', 'Port Forwarding Failed', '[{host}: ]User [{user} ]failed to forward a port[: {error}]'],
    ['T3006I', 'client.disconnect', 'Client Disconnected', '[{host}: ]User [{user} ]was disconnected[: {reason}]'],
  ],
  X11: [
    ['T3008I', 'x11-forward', 'X11 Forwarding Requested', '[{host}: ]User [{user} ]asked for X11 forwarding'],
    ['T3008W', 'x11-forward', 'X11 Forwarding Refused', '[{host}: ]User [{user} ]was refused X11 forwarding'],
  ],
  SCP: [
    ['T3004I', 'scp', 'SCP Download', '[{host}: ]User [{user} ]downloaded[ {path}]'],
    ['T3004E', 'scp', 'SCP Download Failed', '[{host}: ]A download failed[: {exitError}]'],
    ['T3005I', 'scp', 'SCP Upload', '[{host}: ]User [{user} ]uploaded[ {path}]'],
    ['T3005E', 'scp', 'SCP Upload Failed', '[{host}: ]An upload failed[: {exitError}]'],
    ['T3010E', 'scp', 'SCP Disallowed', '[{host}: ]User [{user} ]was refused to copy files by SCP'],
  ],
  SFTP: [
    ...sftpRows,
    ['TS020E', 'sftp', 'SFTP Disallowed', '[{host}: ]User [{user} ]was refused to copy files by SFTP'],
  ],
  Application: [
    ['TAP03I', 'app.create', 'Application Created', 'User [{user} ]created application[ {name}]'],
    ['TAP04I', 'app.update', 'Application Updated', 'User [{user} ]changed application[ {name}]'],
    ['TAP05I', 'app.delete', 'Application Deleted', 'User [{user} ]deleted application[ {name}]'],
  ],
  'Application session': [
    [
      'T2007I',
      'app.session.start',
      'App Session Started',
      'User [{user} ]connected to application[ {app_name}][ as {aws_role_arn}]',
    ],
    [
      'T2007W',
      'app.session.start',
      'App Session Start Failed',
      'User [{user} ]could not connect to application[ {app_name}][: {error}]',
    ],
    [
      'T2008I',
      'app.session.chunk',
      'App Session Data',
      'Requests of user [{user} ]to application[ {app_name}] were recorded',
    ],
    [
      'T2009I',
      'app.session.request',
      'App Session Request',
      'A request[ {method}][ {path}] went to application[ {app_name}]',
    ],
    ['T2011I', 'app.session.end', 'App Session Ended', 'User [{user} ]disconnected from application[ {app_name}]'],
    [
      'T2013I',
      'app.session.dynamodb.request',
      'App Session DynamoDB Request',
      'User [{user} ]made a DynamoDB request[ {target}] to application[ {app_name}]',
    ],
  ],
  Kubernetes: [
    [
      'T3009I',
      'kube.request',
      'Kubernetes Request',
      'User [{user} ]got[ {response_code}] for[ {verb}][ {request_path}] on cluster[ {kubernetes_cluster}]',
    ],
    ['T3010I', 'kube.create', 'Kubernetes Cluster Created', 'User [{user} ]created Kubernetes cluster[ {name}]'],
    ['T3011I', 'kube.update', 'Kubernetes Cluster Updated', 'User [{user} ]changed Kubernetes cluster[ {name}]'],
    ['T3012I', 'kube.delete', 'Kubernetes Cluster Deleted', 'User [{user} ]deleted Kubernetes cluster[ {name}]'],
  ],
  Desktop: [
    [
      'TDP00I',
      'windows.desktop.session.start',
      'Desktop Session Started',
      'User [{user} ]connected[ as {windows_user}] to desktop[ {desktop_addr}][ of {windows_domain}]',
    ],
    [
      'TDP00W',
      'windows.desktop.session.start',
      'Desktop Session Denied',
      'User [{user} ]was refused[ as {windows_user}] on desktop[ {desktop_addr}][ of {windows_domain}]',
    ],
    [
      'TDP01I',
      'windows.desktop.session.end',
      'Desktop Session Ended',
      'Session of user [{user} ]ended on desktop[ {desktop_addr}][ of {windows_domain}][, as {windows_user}]',
    ],
    [
      'TDP02I',
      'desktop.clipboard.send',
      'Clipboard Data Sent',
      'User [{user} ]sent {#length|byte} of clipboard data to desktop[ {desktop_addr}]',
    ],
    [
      'TDP03I',
      'desktop.clipboard.receive',
      'Clipboard Data Received',
      'User [{user} ]received {#length|byte} of clipboard data from desktop[ {desktop_addr}]',
    ],
    [
      'TDP04I',
      'desktop.directory.share',
      'Directory Sharing Started',
      'User [{user} ]shared directory[ {directory_name}] with desktop[ {desktop_addr}]',
    ],
    [
      'TDP04W',
      'desktop.directory.share',
      'Directory Sharing Failed',
      'User [{user} ]failed to share directory[ {directory_name}] with desktop[ {desktop_addr}]',
    ],
    [
      'TDP05I',
      'desktop.directory.read',
      'Directory Sharing Read',
      'User [{user} ]read {#length|byte}[ of {file_path}][ in {directory_name}] on desktop[ {desktop_addr}]',
    ],
    [
      'TDP05W',
      'desktop.directory.read',
      'Directory Sharing Read Failed',
      'User [{user} ]failed to read {#length|byte}[ of {file_path}][ in {directory_name}] on desktop[ {desktop_addr}]',
    ],
    [
      'TDP06I',
      'desktop.directory.write',
      'Directory Sharing Write',
      'User [{user} ]wrote {#length|byte}[ to {file_path}][ in {directory_name}] on desktop[ {desktop_addr}]',
    ],
    [
      'TDP06W',
      'desktop.directory.write',
      'Directory Sharing Write Failed',
      'User [{user} ]failed to write {#length|byte}[ to {file_path}][ in {directory_name}] on desktop[ {desktop_addr}]',
    ],
  ],
  SSM: [
    [
      'TDS00I',
      'ssm.run',
      'SSM Command Executed',
      'SSM command[ {command_id}] ran on instance[ {instance_id}][ of account {account_id}][ in {region}]',
    ],
    [
      'TDS00W',
      'ssm.run',
      'SSM Command Failed',
      'SSM command[ {command_id}] failed on instance[ {instance_id}][ of account {account_id}][ in {region}]',
    ],
  ],
} satisfies Readonly<Record<string, readonly AuditRow[]>>;
