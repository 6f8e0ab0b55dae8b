package org.starling.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starling.core.engine.Shape;
import org.starling.core.model.Mask;
import org.starling.core.model.Precision;

/** How many times faster the float32 attention pass is than a peer on the same tokens. */
final class PeerCase implements Case {
  private static final List<String> WAYS =
      List.of("numpy", "numpy-chunked", "torch", "torch-fused");

  private final int n;
  private final int d;
  private final boolean causal;

  PeerCase(int n, int d, boolean causal) {
    this.n = n;
    this.d = d;
    this.causal = causal;
  }

  @Override
  public List<String> ids() {
    String shape = "/" + (causal ? "causal" : "full") + "/" + n + "x" + d;
    return WAYS.stream().map(way -> "peers/" + way + shape).toList();
  }

  @Override
  public List<Row> measure(Workshop shop) {
    PythonPeers peers = shop.peers();
    Shape shape = new Shape(1, n, d);
    List<String> present = WAYS.stream().filter(w -> peers.unavailable(w) == null).toList();
    try (Scene scene =
        new Scene(
            shop.engine(Precision.SINGLE, causal, d),
            shape,
            causal ? Mask.CAUSAL : Mask.FULL,
            Scene.BETA)) {
      List<Lap.Timed> operations = new java.util.ArrayList<>();
      operations.add(Timing.clocked(scene::pass));
      for (String way : present) {
        operations.add(peers.operation(way, shape, Scene.BETA, causal, precision(way)));
      }
      double[] ours = scene.velocity();
      List<Timing> timings = Timing.interleaved(shop.repetitions(), operations);
      return WAYS.stream()
          .map(
              way -> {
                int at = present.indexOf(way);
                String id = ids().get(WAYS.indexOf(way));
                return at < 0
                    ? Row.skipped(id, what(way), peers.unavailable(way))
                    : row(
                        shop,
                        id,
                        way,
                        timings.get(0),
                        timings.get(at + 1),
                        difference(
                            ours, peers.velocity(way, shape, Scene.BETA, causal, precision(way))));
              })
          .toList();
    }
  }

  private static Precision precision(String way) {
    return way.equals("numpy") ? Precision.DOUBLE : Precision.SINGLE;
  }

  private String what(String way) {
    String name =
        switch (way) {
          case "numpy" -> "NumPy float64, n x n stored";
          case "numpy-chunked" -> "NumPy float32, 256 rows at a time";
          case "torch" -> "PyTorch float32, softmax(Q K^T) V";
          default -> "PyTorch float32, its fused attention";
        };
    return "speed over " + name + (causal ? ", causal" : ", full");
  }

  private Row row(Workshop shop, String id, String way, Timing pass, Timing peer, double apart) {
    Map<String, Double> m = new LinkedHashMap<>();
    m.put("seconds", pass.median());
    m.put("peer_seconds", peer.median());
    m.put("peer_cpu_seconds", peer.medianCpu());
    m.put("difference", apart);
    return Row.measured(
        id,
        what(way),
        "x",
        peer.over(pass),
        way.equals("numpy") ? shop.goals().overNumPy(d, causal) : null,
        String.format(
            Locale.ROOT, "%.0f ms; velocities agree within %.1e", 1e3 * peer.median(), apart),
        m);
  }

  /** Largest difference over the largest speed. */
  private double difference(double[] ours, double[] theirs) {
    double apart = 0;
    double largest = 0;
    for (int i = 0; i < ours.length; i++) {
      // Math.max keeps NaN.
      apart = Math.max(apart, Math.abs(ours[i] - theirs[i]));
      largest = Math.max(largest, Math.abs(theirs[i]));
    }
    return apart / largest;
  }
}
