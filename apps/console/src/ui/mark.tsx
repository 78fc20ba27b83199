/** The product's mark, as in public/waymark.svg; in the page, it costs no request. */
export function Mark({ size }: { size: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} className="mark" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#4c58e6" />
      <path
        d="M7 10l4.5 13L16 12l4.5 11L25 10"
        fill="none"
        stroke="#fff"
        strokeWidth="2.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
