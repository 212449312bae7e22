/** The product's mark: a small gate with a prompt in it. Decoration; the name stands beside it or in the title. */
export function Gate({ size }: { readonly size: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <path fill="var(--accent)" d="M5 30V14a11 11 0 0 1 22 0v16z" />
      <path
        fill="none"
        stroke="var(--accent-text)"
        strokeWidth="2.4"
        strokeLinecap="round"
        strokeLinejoin="round"
        d="m11 15.5 4 4-4 4m7 0h4"
      />
    </svg>
  );
}
