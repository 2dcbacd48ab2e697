export default function MarketPanel() {
  return null;
}
