/** Downloads an address as a file, as pressing a link to it would. */
export function saveFile(href: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = '';
  document.body.append(link);
  link.click();
  link.remove();
}
