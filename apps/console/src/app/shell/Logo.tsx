/** The logo of LMS Admin: an open book whose right page is a register with one marked line. */
export function Logo({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path d="M15 8.2C12.6 6.3 9.2 5.7 5 6.4v17.2c4.2-.7 7.6-.1 10 1.8z" fill="currentColor" />
      <g fill="none" strokeWidth="2.6" strokeLinecap="round">
        <path d="M18.8 9.4h8.2M18.8 22.6h8.2" stroke="currentColor" />
        <path d="M18.8 16h8.2" stroke="#f2bd55" />
      </g>
    </svg>
  );
}
