// The heat strip's outline.

/** Height of the strip in its own units; the picture is stretched over the timeline. */
export const ACTIVITY_UNITS = 24;

/** One outline of all activity: bars as high as the logarithm of the bytes, since one `cat` would hide all typing. */
export function activityPath(activity: readonly number[]): string {
  const most = Math.max(1, ...activity.map(bytes => Math.log1p(Math.max(0, bytes))));
  return activity
    .map((bytes, at) => {
      const height = bytes <= 0 ? 0 : Math.max(1, Math.round((ACTIVITY_UNITS * Math.log1p(bytes)) / most));
      return height === 0 ? '' : `M${at} ${ACTIVITY_UNITS}v-${height}h1v${height}z`;
    })
    .join('');
}
