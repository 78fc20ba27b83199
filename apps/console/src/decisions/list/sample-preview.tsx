/** The list of a sample workspace, drawn small in the colours of the theme. */
export function SamplePreview() {
  const rows = [
    { title: 96, state: 'var(--chart-good)' },
    { title: 128, state: 'var(--chart-main)' },
    { title: 76, state: 'var(--chart-bad)' },
  ];
  return (
    <svg className="sample-preview" viewBox="0 0 280 84" preserveAspectRatio="xMidYMin slice" aria-hidden>
      <rect className="sheet" x="24" y="14" width="232" height="90" rx="8" />
      <rect className="text" x="36" y="25" width="48" height="7" rx="3" />
      <rect className="button" x="212" y="23" width="32" height="11" rx="4" />
      {rows.map(({ title, state }, row) => (
        <g key={title} transform={`translate(0 ${42 + row * 15})`}>
          <path d="M24 0h232" />
          <rect className="title" x="36" y="5" width={title} height="5" rx="2.5" />
          <circle cx="192" cy="7.5" r="3" fill={state} />
          <rect className="title" x="199" y="5" width="22" height="5" rx="2.5" />
          <rect className="title" x="234" y="5" width="10" height="5" rx="2.5" />
        </g>
      ))}
    </svg>
  );
}
