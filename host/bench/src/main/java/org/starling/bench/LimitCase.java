package org.starling.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starling.core.engine.DeviceProbes.Limit;
import org.starling.core.model.Precision;

/** A limit of the device as a row of its own. */
final class LimitCase implements Case {
  private final Precision precision;
  private final Limit limit;

  LimitCase(Precision precision, Limit limit) {
    this.precision = precision;
    this.limit = limit;
  }

  @Override
  public List<String> ids() {
    String name = limit.name().toLowerCase(Locale.ROOT).replace('_', '-');
    return List.of("limit/" + Workshop.word(precision) + "/" + name);
  }

  @Override
  public List<Row> measure(Workshop shop) {
    String what =
        switch (limit) {
          case MULTIPLY_ADD -> "peak of multiply-adds, ";
          case OWN_EXPONENTIAL -> "the kernels' exponential, ";
          case DEVICE_EXPONENTIAL -> "the device's exponential, ";
          case COPY -> "memory, copy, ";
          case TRIAD -> "memory, triad, ";
          case READ -> "memory, read, ";
        };
    String name = what + Workshop.word(precision);
    Limits limits = shop.limits(precision);
    if (!limits.available()) {
      return List.of(Row.skipped(ids().get(0), name, "this engine has no probes of its device"));
    }
    Limits.Found found = limits.get(limit, shop.repetitions());
    double[] rates = found.rates().clone();
    for (int r = 0; r < rates.length; r++) {
      rates[r] *= 1e-9;
    }
    Map<String, Double> details = new LinkedHashMap<>();
    details.put("rate", found.rate());
    return List.of(
        Row.measured(ids().get(0), name, unit(), rates, null, found.probe().name(), details));
  }

  private String unit() {
    return switch (limit) {
      case MULTIPLY_ADD -> "GF/s";
      case OWN_EXPONENTIAL, DEVICE_EXPONENTIAL -> "G/s";
      default -> "GB/s";
    };
  }
}
