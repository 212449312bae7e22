// Guides that give a pipeline or a machine an identity: which join method each stands on, what must be known of it, and the file that it needs.

export const botGuideIds = ['github-actions', 'gitlab', 'jenkins', 'circleci', 'ansible', 'generic'] as const;
export type BotGuideId = (typeof botGuideIds)[number];

/** What a guide's file is filled in with. */
interface GuideWords {
  readonly gateway: string;
  readonly cluster: string;
  /** What the bot shows: a name, or a name and a secret. */
  readonly token: string;
  readonly login: string;
}
interface BotGuideRow {
  readonly title: string;
  readonly detail: string;
  readonly method: 'token' | 'github' | 'gitlab';
  /** What the rule of its token names; none where it joins with a secret. */
  readonly project?: { readonly label: string; readonly tip: string };
  /** What the file is called, or where it goes. */
  readonly place: string;
  readonly file: (words: GuideWords) => string;
}

const start = ({ gateway, token }: GuideWords, more: string): string =>
  `postern bot start --gateway ${gateway} --token ${token} ${more}`;
const use = ({ login }: GuideWords): string => `ssh -F bot/ssh/config ${login}@SERVER uptime`;

export const botGuides: Readonly<Record<BotGuideId, BotGuideRow>> = {
  'github-actions': {
    title: 'GitHub Actions',
    detail: 'Jobs join by what GitHub says of them',
    method: 'github',
    project: { label: 'Repository', tip: 'OWNER/NAME, such as acme/shop' },
    place: '.github/workflows/postern.yaml',
    file: words => `name: postern
on: [workflow_dispatch]
permissions:
  id-token: write
  contents: read
jobs:
  deploy:
    runs-on: ubuntu-latest
    steps:
      - run: ${start(words, '--oneshot --to bot')}
      - run: ${use(words)}
`,
  },
  gitlab: {
    title: 'GitLab',
    detail: 'Jobs join by what GitLab says of them',
    method: 'gitlab',
    project: { label: 'Project path', tip: 'GROUP/NAME, such as acme/shop' },
    place: '.gitlab-ci.yml',
    file: words => `deploy:
  id_tokens:
    POSTERN_ID_TOKEN:
      aud: ${words.cluster}
  script:
    - ${start(words, '--oneshot --to bot')}
    - ${use(words)}
`,
  },
  jenkins: {
    title: 'Jenkins',
    detail: 'The agent runs the bot as a service',
    method: 'token',
    place: 'Jenkinsfile, once the bot runs on the agent: see the line below',
    file: words => `pipeline {
  agent any
  stages {
    stage('deploy') {
      steps {
        sh 'ssh -F /var/lib/postern-bot/ssh/config ${words.login}@SERVER uptime'
      }
    }
  }
}
`,
  },
  circleci: {
    title: 'CircleCI',
    detail: 'A self-hosted runner runs the bot as a service',
    method: 'token',
    place: '.circleci/config.yml, once the bot runs on the runner: see the line below',
    file: words => `version: 2.1
jobs:
  deploy:
    machine: true
    resource_class: NAMESPACE/RUNNER
    steps:
      - run: ssh -F /var/lib/postern-bot/ssh/config ${words.login}@SERVER uptime
workflows:
  deploy:
    jobs: [deploy]
`,
  },
  ansible: {
    title: 'Ansible',
    detail: 'Playbooks reach servers through the gateway',
    method: 'token',
    place: 'ansible.cfg, once the bot runs on the control node: see the line below',
    file: words => `[defaults]
remote_user = ${words.login}
[ssh_connection]
ssh_args = -F /var/lib/postern-bot/ssh/config
`,
  },
  generic: {
    title: 'Another machine',
    detail: 'Anything that runs a program',
    method: 'token',
    place: 'systemd unit, once the bot has joined: see the line below',
    file: ({ gateway }) => `[Unit]
Description=Postern bot
After=network-online.target
[Service]
ExecStart=postern bot start --gateway ${gateway} --to /var/lib/postern-bot
Restart=always
RestartSec=10
[Install]
WantedBy=multi-user.target
`,
  },
};
export const isBotGuide = (kind: string): kind is BotGuideId => (botGuideIds as readonly string[]).includes(kind);
