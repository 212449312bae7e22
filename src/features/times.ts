// Times as people read them, everywhere in one format: UTC, so that two of them name the same moment alike.

/** YYYY-MM-DD HH:mm:ss, UTC; the text itself when it is not a time. A number is ms since 1970. */
export function dateTime(time: string | number): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? String(time) : at.toISOString().slice(0, 19).replace('T', ' ');
}

/** YYYY-MM-DD of the person's own day. */
export function day(at: Date): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** MMM dd, yyyy of the day in UTC, for a day within a sentence: in the console's own language, whatever the browser's is. The text itself when it is not a time. */
export function shortDay(time: string): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return time;
  return `${MONTHS[at.getUTCMonth()]} ${String(at.getUTCDate()).padStart(2, '0')}, ${at.getUTCFullYear()}`;
}

/** A length of time in its two largest units, such as "1 h 4 min". */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? `${days} d` : `${days} d ${hours % 24} h`;
}

/** How long until then, as people say it: "8 hours", "59 minutes"; "less than a minute" when it is nearly over. */
export function untilText(time: string, now: Date): string {
  const minutes = Math.round((Date.parse(time) - now.getTime()) / 60_000);
  if (!(minutes >= 1)) return 'less than a minute';
  const [count, unit] =
    minutes < 120
      ? [minutes, 'minute']
      : minutes < 2880
        ? [Math.round(minutes / 60), 'hour']
        : [Math.round(minutes / 1440), 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
