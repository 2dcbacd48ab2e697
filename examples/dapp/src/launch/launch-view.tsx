export default function LaunchView() {
  return null;
}
