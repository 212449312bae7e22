// What the groups of audit events look like. An event that reports a fault has an icon of that instead, whatever it is about.
import {
  AppWindow,
  BadgeCheck,
  Bell,
  Bot,
  Cable,
  CalendarClock,
  CirclePlay,
  CircleQuestionMark,
  CloudCog,
  Container,
  CreditCard,
  Database,
  FileChartColumn,
  Files,
  FingerprintPattern,
  IdCard,
  KeyRound,
  Laptop,
  LifeBuoy,
  ListChecks,
  Lock,
  LogIn,
  type LucideIcon,
  MessageSquare,
  Monitor,
  Network,
  OctagonX,
  Plug,
  Radar,
  Scale,
  Server,
  ShieldCheck,
  Sparkles,
  SquareTerminal,
  Terminal,
  TextQuote,
  Ticket,
  TicketCheck,
  TriangleAlert,
  User,
  UserCog,
  Users,
} from 'lucide-react';
import { type AuditGroup, auditCode } from '../../../contract/audit-codes.ts';

/** Groups of one family, such as the databases' protocols, look alike. */
type Family = AuditGroup extends infer Group ? (Group extends `${infer Name}: ${string}` ? Name : Group) : never;

const familyIcons: Readonly<Record<Family, LucideIcon>> = {
  User,
  Assistant: Sparkles,
  'Sign-in': LogIn,
  Authentication: ShieldCheck,
  'Second factor': FingerprintPattern,
  'Recovery codes': LifeBuoy,
  Token: Ticket,
  Role: UserCog,
  Lock,
  Plugin: MessageSquare,
  Integration: Cable,
  Discovery: Radar,
  Notification: Bell,
  'Access request': TicketCheck,
  Agent: Bot,
  'Access list': ListChecks,
  'Access list member': Users,
  Connector: KeyRound,
  'SAML identity provider': IdCard,
  'Login rule': Scale,
  'Device trust': Laptop,
  Join: Plug,
  Server,
  Bot,
  Okta: BadgeCheck,
  'Trusted cluster': Network,
  Billing: CreditCard,
  Certificate: KeyRound,
  'Security report': FileChartColumn,
  'Upgrade window': CalendarClock,
  Other: CircleQuestionMark,
  Session: SquareTerminal,
  Recording: CirclePlay,
  Snippet: TextQuote,
  SSH: Terminal,
  X11: AppWindow,
  SCP: Files,
  SFTP: Files,
  Application: AppWindow,
  'Application session': AppWindow,
  Kubernetes: Container,
  Desktop: Monitor,
  SSM: CloudCog,
  Database,
  'Database session': Database,
};

/** The icon of an event, how grave it is, and the words of both. An unknown code is of no group. */
export function iconOfCode(code: string): {
  readonly Icon: LucideIcon;
  readonly severity: 'info' | 'warning' | 'error';
  readonly label: string;
} {
  const { severity = 'info', group = 'Other' } = auditCode(code) ?? {};
  if (severity === 'warning') return { Icon: TriangleAlert, severity, label: `${group}, warning` };
  if (severity === 'error') return { Icon: OctagonX, severity, label: `${group}, error` };
  return { Icon: familyIcons[group.split(':')[0] as Family], severity, label: group };
}
