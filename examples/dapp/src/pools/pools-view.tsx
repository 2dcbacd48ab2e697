export default function PoolsView() {
  return null;
}
